"""Reads HTML with the packages that are installed. Input: a file of JSON lines (HTML). Output: {package: [text]}."""
import json
import sys


def readers():
    try:
        import trafilatura
        yield 'trafilatura', lambda html: trafilatura.extract(html, include_comments=False) or ''
    except ImportError:
        pass
    try:
        from resiliparse.extract.html2text import extract_plain_text
        yield 'resiliparse', lambda html: extract_plain_text(html, main_content=True)
    except ImportError:
        pass
    try:
        import html2text
        converter = html2text.HTML2Text(bodywidth=0)
        converter.ignore_links = converter.ignore_images = True
        yield 'html2text', converter.handle
    except ImportError:
        pass
    try:
        import markdownify
        yield 'markdownify', lambda html: markdownify.markdownify(html, strip=['a', 'img', 'script', 'style'])
    except ImportError:
        pass
    try:
        import readability
        from lxml.html import fromstring
        yield 'readability-lxml', lambda html: fromstring(readability.Document(html).summary()).text_content()
    except ImportError:
        pass


def attempt(read, html):
    try:
        return read(html)
    except Exception:
        return ''


with open(sys.argv[1], encoding='utf-8') as file:
    pages = [json.loads(line) for line in file]
print(json.dumps({name: [attempt(read, page) for page in pages] for name, read in readers()}))
