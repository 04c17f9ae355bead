import { expect, it } from 'vitest'
import { sniffFormat } from '../../retrieval/text/format.ts'

const formatOf = (text: string, name: string): string | null =>
  sniffFormat(Buffer.from(text, 'latin1'), name).format

it.each([
  ['<!DOCTYPE html><p>x', 'html'],
  ['<!-- saved -->\n<!-- from -->\n<html lang="en"><p>x', 'html'],
  ['<?xml version="1.0"?>\n<!-- a\nb -->\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN"><p>x', 'html'],
  ['A note on <!DOCTYPE html> and pages', 'text'],
  ['A note. <!-- its remark --> <html>', 'text'],
  ['<!-- a remark -->\n<p>a part of a page', 'text'],
])('reads a file with the name of a text as a page only when it is a whole page: %j', (text, format) => {
  expect(formatOf(text, 'note.txt')).toBe(format)
})

it.each([
  ['%PDF-1.7\n', 'pdf'],
  ['\xef\xbb\xbf\n%PDF-1.7\n', 'pdf'],
  ['HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n%\x01\x02\n', 'pdf'],
  ['junk before it %PDF-1.4\n1 0 obj\n<< >>', 'pdf'],
  ['%PDF-1.4 %\xe2\xe3\n', 'pdf'],
  ['%PDF-1.7 is the header of a file.', 'text'],
  ['A file begins with %PDF-1.4 and then its objects', 'text'],
  ['<p>junk</p> %PDF-1.4\n1 0 obj\n<< >>', 'html'],
])('reads bytes with the header of a PDF as one, but no text that mentions it: %j', (text, format) => {
  expect(formatOf(text, 'x')).toBe(format)
})
