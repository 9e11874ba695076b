#!/bin/sh
# Writes the office files of this folder with public generators:
# pandoc 2.17, python-docx 0.8.11, openpyxl 3.0.9, XlsxWriter 3.0.2, odfpy
# 1.4.2 (Debian 12), and the npm packages docx 9, exceljs 4 and pptxgenjs 4.
set -e
cd "$(dirname "$0")"
pandoc code.md -o pandoc.docx
pandoc code.md -o pandoc.odt
pandoc slides.md -o pandoc.pptx
/usr/bin/python3 generate.py
node generate.mjs
