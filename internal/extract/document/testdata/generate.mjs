// Writes files with the npm packages docx, exceljs and pptxgenjs.
import fs from 'node:fs'
import {createRequire} from 'node:module'
const require = createRequire(process.env.NODE_PATH ? process.env.NODE_PATH + '/x' : import.meta.url)
const docx = require('docx'), ExcelJS = require('exceljs'), PptxGenJS = require('pptxgenjs')

const {Document, Packer, Paragraph, TextRun, FootnoteReferenceRun, ExternalHyperlink, Table, TableRow, TableCell, HeadingLevel, LevelFormat, AlignmentType} = docx
const p = (text, options = {}) => new Paragraph({...options, children: [new TextRun(text)]})
const item = (text, reference, level = 0) => p(text, {numbering: {reference, level}})
const mono = text => new Paragraph({children: [new TextRun({text, font: 'Consolas'})]})
const level = (format, text, left, level = 0) => ({level, format, text, alignment: AlignmentType.START, style: {paragraph: {indent: {left, hanging: 360}}}})
const doc = new Document({
  numbering: {config: [
    {reference: 'numbers', levels: [level(LevelFormat.DECIMAL, '%1.', 720)]},
    {reference: 'letters', levels: [level(LevelFormat.LOWER_LETTER, '%1)', 1440)]},
    {reference: 'other', levels: [level(LevelFormat.BULLET, '•', 720)]},
  ]},
  footnotes: {1: {children: [p('Of last year.')]}},
  sections: [{children: [
    p('Harbour rules', {heading: HeadingLevel.HEADING_1}),
    item('Moor', 'numbers'), item('fore', 'letters'), item('aft', 'letters'), item('Sign', 'numbers'), item('Leave', 'other'),
    new Paragraph({children: [new TextRun('See the '), new ExternalHyperlink({link: 'https://example.com/tide', children: [new TextRun('table')]}), new FootnoteReferenceRun(1)]}),
    mono('if (open) {'), mono('\u00a0\u00a0close()'), mono('}'),
    new Table({rows: [['Port', 'Depth'], ['North', '4 m']].map(r => new TableRow({children: r.map(c => new TableCell({children: [p(c)]}))}))}),
  ]}],
})
fs.writeFileSync('npm.docx', await Packer.toBuffer(doc))

const book = new ExcelJS.Workbook()
const sheet = book.addWorksheet('Rates')
sheet.addRow(['Port', 'Share', 'Fine', 'Open'])
sheet.addRow(['North', 0.25, 0.12345, true])
sheet.addRow(['South', 1.5, -0.05, false])
sheet.getColumn(2).numFmt = '0%'
sheet.getColumn(3).numFmt = '0.00%'
await book.xlsx.writeFile('npm.xlsx')

const show = new PptxGenJS()
let s = show.addSlide()
s.addText('Footing', {x: 0.5, y: 4.5, w: 9, h: 0.5})
s.addText('Second step', {x: 0.5, y: 3, w: 9, h: 0.5})
s.addText('First step', {x: 0.5, y: 1.5, w: 9, h: 0.5})
s.addText('Heading of all', {x: 0.5, y: 0.3, w: 9, h: 0.8})
s = show.addSlide()
s.addText('Right words', {x: 5.2, y: 1.2, w: 4, h: 3})
s.addText('Left words', {x: 0.5, y: 1.2, w: 4, h: 3})
s.addText('Top words', {x: 0.5, y: 0.3, w: 9, h: 0.7})
s = show.addSlide()
s.addTable([['Port', 'Depth'], ['North', '4 m']], {x: 0.5, y: 2, w: 6})
s.addText([{text: 'one', options: {bullet: true}}, {text: 'two', options: {bullet: true, indentLevel: 1}}], {x: 0.5, y: 0.5, w: 6, h: 1})
s.addNotes('Say this aloud.')
await show.writeFile({fileName: 'npm.pptx'})
