"""Reads sources with the packages that are installed.

Arguments: `articles`, `tables` or `pdf`, and a file of JSON lines: HTML, or the paths of PDFs.
Output: {package: [text]}, for PDFs {package: [[text of a page]]}.
"""
import importlib
import io
import json
import re
import shutil
import subprocess
import sys
import warnings


def trafilatura(html):
    return importlib.import_module('trafilatura').extract(html, include_comments=False) or ''


def resiliparse(html):
    return importlib.import_module('resiliparse.extract.html2text').extract_plain_text(html, main_content=True)


def readability_lxml(html):
    summary = importlib.import_module('readability').Document(html).summary()
    return importlib.import_module('lxml.html').fromstring(summary).text_content()


def html2text(html):
    converter = importlib.import_module('html2text').HTML2Text(bodywidth=0)
    converter.ignore_links = converter.ignore_images = True
    return converter.handle(html)


def markdownify(html):
    return importlib.import_module('markdownify').markdownify(html, strip=['a', 'img', 'script', 'style'])


def pandas(html):
    read_html = importlib.import_module('pandas').read_html
    # Cells as texts: numbers would lose zeros.
    texts = {column: str for column in range(read_html(io.StringIO(html))[0].shape[1])}
    tables = read_html(io.StringIO(html), keep_default_na=False, converters=texts)
    return '\n\n'.join(write_frame(table) for table in tables)


def write_frame(table):
    heads = table.columns.to_frame().T.values.tolist()
    return '\n'.join('| ' + ' | '.join(str(cell) for cell in row) + ' |' for row in heads + table.values.tolist())


def rows_with_tabs(rows):
    return '\n'.join('\t'.join(re.sub(r'\s+', ' ', str(cell or '')) for cell in row) for row in rows)


def pdfplumber(path):
    with importlib.import_module('pdfplumber').open(path) as document:
        return ['\n\n'.join(rows_with_tabs(table) for table in tables_by_pdfplumber(page)) for page in document.pages]


def tables_by_pdfplumber(page):
    """Tables between lines; where there are none, those by the places of words."""
    by_words = {'vertical_strategy': 'text', 'horizontal_strategy': 'text'}
    return page.extract_tables() or page.extract_tables(by_words)


def camelot_stream(path):
    pages = {}
    for table in importlib.import_module('camelot').read_pdf(path, pages='all', flavor='stream'):
        pages.setdefault(table.page, []).append(rows_with_tabs(table.df.values.tolist()))
    return ['\n\n'.join(pages.get(page, [])) for page in range(1, max(pages, default=0) + 1)]


def pdftotext(path):
    if shutil.which('pdftotext') is None:
        raise ImportError('pdftotext')
    text = subprocess.run(['pdftotext', '-layout', path, '-'], capture_output=True, check=True, text=True).stdout
    lines = [re.sub(r' {2,}', '\t', line.strip(' ')) for line in text.split('\n')]
    return '\n'.join(lines).split('\f')


READERS = {
    'articles': [trafilatura, resiliparse, readability_lxml],
    'tables': [pandas, markdownify, html2text, trafilatura],
    'pdf': [camelot_stream, pdfplumber, pdftotext],
}


def read_all(read, sources, empty):
    """Returns the text of each source; None when the package is not installed."""
    texts = []
    for source in sources:
        try:
            texts.append(read(source))
        except ImportError:
            return None
        except Exception:
            texts.append(empty)
    return texts


warnings.filterwarnings('ignore')
kind, file_name = sys.argv[1:]
with open(file_name, encoding='utf-8') as file:
    sources = [json.loads(line) for line in file]
results = {read.__name__: read_all(read, sources, [] if kind == 'pdf' else '') for read in READERS[kind]}
print(json.dumps({name: texts for name, texts in results.items() if texts is not None}))
