# Writes files with python-docx, openpyxl, XlsxWriter, odfpy and email.
import datetime
from email.message import EmailMessage
from email.headerregistry import Address

import docx
from docx.enum.style import WD_STYLE_TYPE
from docx.shared import Pt
import openpyxl
import xlsxwriter
from odf import draw, opendocument, style, table, text


def python_docx():
    d = docx.Document()
    d.add_heading("Crew list", 1)
    for level, s in [("List Number", "Fuel"), ("List Bullet 2", "diesel"), ("List Bullet 2", "petrol"), ("List Number", "Food"), ("List Number 2", "bread")]:
        d.add_paragraph(s, style=level)
    d.add_paragraph("Then run:")
    code = d.styles.add_style("Code", WD_STYLE_TYPE.PARAGRAPH)
    code.font.name = "Consolas"
    for line in ["for port in ports:", "    open(port)", "", "    close(port)"]:
        d.add_paragraph(line, style="Code")
    d.add_paragraph("The end.")
    t = d.add_table(rows=2, cols=2)
    for i, s in enumerate(["Port", "Depth", "North", "4 m"]):
        t.cell(i // 2, i % 2).text = s
    p = d.add_paragraph("A hidden ")
    p.add_run("secret").font.hidden = True
    p.add_run("word.")
    d.save("python.docx")


def python_docx_runs():
    d = docx.Document()
    d.add_paragraph("Type the following line:")
    for line in ["git clone https://example.com/tide", "cd tide"]:
        d.add_paragraph().add_run(line).font.name = "Courier New"
    p = d.add_paragraph("Then call ")
    p.add_run("make").font.name = "Courier New"
    p.add_run(" once.")
    d.save("monospaced.docx")


def python_docx_typewriter():
    d = docx.Document()
    d.styles["Normal"].font.name = "Courier New"
    d.add_paragraph("INT. HARBOUR - NIGHT")
    d.add_paragraph("The ferry leaves.")
    d.save("typewriter.docx")


def openpyxl_xlsx():
    w = openpyxl.Workbook()
    s = w.active
    s.title = "Rates"
    s.append(["Port", "Share", "Growth", "Day", "Total"])
    s.append(["North", 0.25, -0.125, datetime.date(2026, 1, 5), 1234.5])
    s.append(["South", 0.75, 0.0333, datetime.datetime(2026, 2, 9, 14, 30), 0.1 + 0.2])
    s.append(["Hidden", 1, 1, None, 1])
    for r in (2, 3, 4):
        s.cell(r, 2).number_format = "0%"
        s.cell(r, 3).number_format = "0.0%"
        s.cell(r, 5).number_format = '#,##0.00 "kr"'
    s.row_dimensions[4].hidden = True
    w.create_sheet("Secret").sheet_state = "hidden"
    w.save("openpyxl.xlsx")


def xlsxwriter_xlsx():
    w = xlsxwriter.Workbook("xlsxwriter.xlsx", {"default_date_format": "yyyy-mm-dd"})
    s = w.add_worksheet("Data")
    percent, exact = w.add_format({"num_format": 9}), w.add_format({"num_format": 10})
    s.write_row(0, 0, ["Name", "Rough", "Exact", "Open", "Link"])
    s.write(1, 0, "Gauge")
    s.write(1, 1, 0.25, percent)
    s.write(1, 2, 0.1234, exact)
    s.write(1, 3, True)
    s.write_url(1, 4, "https://example.com/gauge", string="see")
    s.write(2, 0, datetime.date(2026, 3, 1))
    s.set_column(5, 5, None, None, {"hidden": True})
    s.write(1, 5, "not shown")
    w.close()


def odf_odt():
    d = opendocument.OpenDocumentText()
    pre = style.Style(name="Preformatted_20_Text", displayname="Preformatted Text", family="paragraph")
    own = style.Style(name="P1", family="paragraph", parentstylename=pre)
    bold = style.Style(name="T1", family="text")
    bold.addElement(style.TextProperties(fontweight="bold"))
    d.styles.addElement(pre)
    d.automaticstyles.addElement(own)
    d.automaticstyles.addElement(bold)
    d.text.addElement(text.H(outlinelevel=1, text="Harbour"))
    p = text.P(text="A ")
    p.addElement(text.Span(stylename=bold, text="strong"))
    p.addText(" current.")
    d.text.addElement(p)
    for indent, line in [(0, "while open:"), (4, "wait()")]:
        p = text.P(stylename=own)
        if indent:
            p.addElement(text.S(c=indent))
        p.addText(line)
        d.text.addElement(p)
    d.text.addElement(text.P(text="After."))
    d.save("odf.odt")


def odf_ods():
    d = opendocument.OpenDocumentSpreadsheet()
    t = table.Table(name="Rates")
    for row in [["Port", "Share"], ["North", "25%"], ["Secret", "1%"]]:
        r = table.TableRow(visibility="collapse") if row[0] == "Secret" else table.TableRow()
        for s in row:
            c = table.TableCell()
            c.addElement(text.P(text=s))
            r.addElement(c)
        t.addElement(r)
    d.spreadsheet.addElement(t)
    d.save("odf.ods")


def odf_odp():
    d = opendocument.OpenDocumentPresentation()
    layout = style.PageLayout(name="L")
    d.automaticstyles.addElement(layout)
    master = style.MasterPage(name="M", pagelayoutname=layout)
    d.masterstyles.addElement(master)
    p = draw.Page(name="one", masterpagename=master)
    for kind, s in [("title", "Tides"), ("outline", "They rise.")]:
        f = draw.Frame(attributes={"class": kind}, width="20cm", height="3cm", x="1cm", y="1cm")
        b = draw.TextBox()
        b.addElement(text.P(text=s))
        f.addElement(b)
        p.addElement(f)
    d.presentation.addElement(p)
    d.save("odf.odp")


def mails():
    m = EmailMessage()
    m["Subject"] = "Grüße from the harbour: 潮汐表"
    m["From"] = Address("Åsa Öberg", "asa", "example.com")
    m["To"] = "crew@example.com"
    m["Date"] = "Mon, 05 Jan 2026 10:00:00 +0100"
    m.set_content("Dear crew,\n\nthe tables für März are attached. " + "This line is long. " * 8 + "\n", charset="iso-8859-1", cte="quoted-printable")
    m.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="höhe.csv")
    inner = EmailMessage()
    inner["Subject"] = "=?koi8-r?B?8NLJzMnX?="
    inner.set_content("Прилив в шесть.", charset="koi8-r", cte="base64")
    m.add_attachment(inner)
    open("python.eml", "wb").write(m.as_bytes())


for f in (python_docx, python_docx_runs, python_docx_typewriter, openpyxl_xlsx, xlsxwriter_xlsx, odf_odt, odf_ods, odf_odp, mails):
    f()
