"""Writes the files of this folder that are not UTF-8 text: workbooks, archives and other encodings.

Run it from anywhere: `python3 tests/data/imports/make-binary.py`. It writes the same bytes each time.
"""

import gzip
import io
import struct
import zipfile
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from xml.sax.saxutils import escape

FOLDER = Path(__file__).parent
HOUR = timedelta(hours=1)
QUARTER = timedelta(minutes=15)


def wave(i, base, step, period=7):
    """Invented figure number i: exact decimals that rise and fall."""
    return Decimal(base) + Decimal(step) * (i % period)


def times(start, step, count):
    return [datetime.fromisoformat(start) + step * i for i in range(count)]


def half_day(time):
    """上午 12:00 is midnight, 下午 12:00 noon."""
    return f'{"上午" if time.hour < 12 else "下午"} {time.hour % 12 or 12:02d}:{time:%M}'


def german(number):
    return f'{number:,}'.replace(',', ' ').replace('.', ',').replace(' ', '.')


# Workbooks


class Styled:
    """Number of a workbook with a format: 1 date, 2 date and time, 3 time of day."""

    def __init__(self, number, style):
        self.number, self.style = number, style


def serial(time, base=datetime(1899, 12, 30)):
    return (time - base) / timedelta(days=1)


def date_cell(time):
    return Styled(serial(time), 1)


def time_cell(time, base=datetime(1899, 12, 30)):
    return Styled(serial(time, base), 2)


def clock_cell(hours):
    return Styled(hours / 24, 3)


class Formula:
    def __init__(self, text, result):
        self.text, self.result = text, result


STYLES = (
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy/m/d"/>'
    '<numFmt numFmtId="165" formatCode="yyyy/m/d\\ hh:mm"/></numFmts>'
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="4">'
    + ''.join(
        f'<xf numFmtId="{n}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        for n in (0, 164, 165, 20)
    )
    + '</cellXfs></styleSheet>'
)
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
PACKAGE = 'http://schemas.openxmlformats.org/package/2006'


def letter(column):
    return chr(65 + column) if column < 26 else letter(column // 26 - 1) + letter(column % 26)


def sheet_xml(rows, merged, texts):
    def cell(ref, value):
        if value is None or value == '':
            return ''
        if isinstance(value, str):
            return f'<c r="{ref}" t="s"><v>{texts.setdefault(value, len(texts))}</v></c>'
        if isinstance(value, Styled):
            return f'<c r="{ref}" s="{value.style}"><v>{value.number!r}</v></c>'
        if isinstance(value, Formula):
            return f'<c r="{ref}"><f>{value.text}</f><v>{value.result}</v></c>'
        return f'<c r="{ref}"><v>{value}</v></c>'

    body = ''.join(
        f'<row r="{y}">' + ''.join(cell(f'{letter(x)}{y}', v) for x, v in enumerate(row)) + '</row>'
        for y, row in enumerate(rows, 1)
    )
    merges = ''.join(f'<mergeCell ref="{ref}"/>' for ref in merged)
    return (
        f'{HEAD}<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData>'
        + (f'<mergeCells count="{len(merged)}">{merges}</mergeCells>' if merged else '')
        + '</worksheet>'
    )


def archive(files, compression=zipfile.ZIP_DEFLATED):
    """Zip archive with fixed dates, so that its bytes do not change."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', compression) as target:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            info.compress_type = compression
            info.external_attr = 0o644 << 16
            target.writestr(info, content)
    return out.getvalue()


def workbook(sheets, merged=(), date1904=False):
    texts = {}
    pages = [sheet_xml(rows, merged if i == 0 else (), texts) for i, rows in enumerate(sheets.values())]
    count = range(1, len(pages) + 1)
    kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
    files = {
        '[Content_Types].xml': f'{HEAD}<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{kind}.styles+xml"/>'
        f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}.sharedStrings+xml"/>'
        + ''.join(
            f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{kind}.worksheet+xml"/>'
            for i in count
        )
        + '</Types>',
        '_rels/.rels': f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        'xl/workbook.xml': f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">'
        + ('<workbookPr date1904="1"/>' if date1904 else '')
        + '<sheets>'
        + ''.join(
            f'<sheet name="{escape(name)}" sheetId="{i}" r:id="rId{i}"/>' for i, name in zip(count, sheets)
        )
        + '</sheets></workbook>',
        'xl/_rels/workbook.xml.rels': f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
        + ''.join(
            f'<Relationship Id="rId{i}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{i}.xml"/>'
            for i in count
        )
        + f'<Relationship Id="rId{len(pages) + 1}" Type="{OFFICE}/styles" Target="styles.xml"/>'
        f'<Relationship Id="rId{len(pages) + 2}" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
        '</Relationships>',
        'xl/styles.xml': HEAD + STYLES,
        'xl/sharedStrings.xml': f'{HEAD}<sst xmlns="{MAIN}" count="{len(texts)}" uniqueCount="{len(texts)}">'
        + ''.join(f'<si><t xml:space="preserve">{escape(text)}</t></si>' for text in texts)
        + '</sst>',
    }
    files |= {f'xl/worksheets/sheet{i}.xml': page for i, page in zip(count, pages)}
    return archive(files)


def roc_hand_sheet():
    """Sheet of a caretaker: only the first row of a day has its date, and each day a subtotal."""
    rows = [
        ['仁愛大樓 115年6月用電紀錄表'],
        ['製表日期：115年6月4日'],
        ['日期', '時間', '1F照明', '2F空調', '室溫', '備註'],
        ['', '', '(度)', '(度)', '(℃)', ''],
    ]
    merged, subtotals, sums = ['A1:F1'], [], []
    for day in (1, 2, 3):
        first = len(rows) + 1
        light = [wave(hour + day, '1.5', '0.5') for hour in range(24)]
        cooling = [wave(hour * day, '4', '1.25', 9) for hour in range(24)]
        for hour in range(24):
            note = '停機保養' if (day, hour) == (2, 14) else ''
            rows.append(
                [f'115.6.{day}' if hour == 0 else '', f'{hour}:00', light[hour], cooling[hour], wave(hour, 24, '0.3'), note]
            )
        last = len(rows)
        merged.append(f'A{first}:A{last}')
        subtotals.append(last + 1)
        sums.append((sum(light), sum(cooling)))
        rows.append(
            ['小計', '', Formula(f'SUM(C{first}:C{last})', sums[-1][0]), Formula(f'SUM(D{first}:D{last})', sums[-1][1])]
        )
    total = [sum(column) for column in zip(*sums)]
    rows.append(
        ['合計', '']
        + [Formula('+'.join(f'{c}{row}' for row in subtotals), value) for c, value in zip('CD', total)]
    )
    rows.append(['註：室溫為參考值。'])
    return workbook({'6月': rows}, merged)


def roc_counter_sheet():
    """Daily readings by hand; the meter of the air conditioning is replaced on 16 June."""
    rows = [['抄表日期', '抄表時間', '主電表讀數(kWh)', '空調電表讀數(kWh)', '備註']]
    main, cooling = Decimal('182340.5'), Decimal('48102.0')
    for day in range(1, 31):
        if day == 16:
            cooling = Decimal('3.2')
        minute = day * 7 % 60
        clock = f'下午 01:{minute:02d}' if day % 9 == 0 else f'上午 09:{minute:02d}'
        rows.append([f'115/6/{day}', clock, main, cooling, '換表' if day == 16 else ''])
        main += wave(day, 610, '35.5')
        cooling += wave(day, 190, '12.5', 5)
    return workbook({'抄表紀錄': rows})


def bems_two_headings():
    """Buildings above, quantities below them, then units; the highest demand is no energy."""
    rows = [
        ['能源管理系統報表', '2026/06/09', '2026/06/10'],
        ['時間', 'A棟', '', 'B棟', ''],
        ['', '用電量', '最大需量', '用電量', '最大需量'],
        ['', 'kWh', 'kW', 'kWh', 'kW'],
    ]
    for i, time in enumerate(times('2026-06-09', QUARTER, 96)):
        a, b = wave(i, '3.25', '0.75'), wave(i, '1.1', '0.35', 11)
        rows.append([time_cell(time), a, a * 4 + 2, b, b * 4 + 1])
    return workbook({'報表': rows}, ['B2:C2', 'D2:E2'])


def solis_daily_counter():
    """A counter of the day that begins at 0 each morning, next to one that never does."""
    rows = [['Time', 'Today Generation(kWh)', 'Total Generation(kWh)', 'Grid Frequency(Hz)']]
    total = Decimal('20456.3')
    for day in (29, 30, 31):
        today = Decimal('0.0')
        for i, time in enumerate(times(f'2026-05-{day}T05:00', HOUR / 2, 29)):
            rows.append([f'{time:%d/%m/%Y %H:%M:%S}', today, total, wave(i, '49.95', '0.02')])
            gain = wave(i * day, '0.3', '0.4', 6)
            today, total = today + gain, total + gain
    return workbook({'Inverter': rows})


def goodwe_sems():
    """Mean power every five minutes; the grid and the battery have signs."""
    rows = [
        ['Plant', 'Sample roof'],
        ['Date', '18.05.2026'],
        ['Time', 'PV(W)', 'SOC(%)', 'Battery(W)', 'Grid(W)', 'Load(W)'],
    ]
    for i, time in enumerate(times('2026-05-18', timedelta(minutes=5), 144)):
        sun = 0 if i < 66 else (i - 66) * 45
        load = 380 + i % 11 * 37
        rows.append([f'{time:%d.%m.%Y %H:%M:%S}', sun, 40 + i // 6, (i % 5 - 2) * 120, sun - load, load])
    return workbook({'Plant data': rows})


def solarman_days():
    """All cells are text, also the numbers; the zone has its own column."""
    rows = [
        [
            'Plant Name',
            'Updated Time',
            'Time Zone',
            'Production-Today(kWh)',
            'Consumption-Today(kWh)',
            'Energy Purchased-Today(kWh)',
            'Self-used Ratio(%)',
            'Anticipated Yield(EUR)',
        ]
    ]
    for i, time in enumerate(times('2026-05-01', timedelta(days=1), 31)):
        made, used, bought = wave(i, '15.40', '2.15'), wave(i, '6.20', '0.85', 5), wave(i, '0.30', '0.45', 4)
        rows.append(
            ['Casa', f'{time:%Y/%m/%d}', ' UTC+01:00 ', str(made), str(used), str(bought), '41.20', str(made / 10)]
        )
    return workbook({'Daily': rows})


def eredes_autumn():
    """Mean power at the end of each quarter hour; the repeated hour is sorted by its text, in pairs."""
    rows = [
        ['Dados Gerais'],
        ['CPE', 'PT0002000000000017AN'],
        ['Data de Início', '2025-10-26'],
        ['Data de Fim', '2025-10-26'],
        ['Intervalo', '15 min'],
        [
            'Contador',
            'Data',
            'Hora',
            'Consumo registado, Ativa (kW)',
            'Injeção na rede medida na IC, Ativa (kW)',
            'Indutiva (kVAr)',
            'Estado',
        ],
    ]
    ends = times('2025-10-26T00:15', QUARTER, 96)
    ends += [end for end in ends if end.hour == 1]
    for i, end in enumerate(sorted(ends)):
        sun = wave(i, 0, '0.412', 5) if 8 <= end.hour < 18 else Decimal(0)
        rows.append(
            ['000000000000017', f'{end:%Y/%m/%d}', f'{end:%H:%M}', wave(i, '0.512', '0.136'), sun, wave(i, 0, '0.05'), 'Real']
        )
    return workbook({'Consumos': rows})


def matrix_time_cells():
    """A row a day; the headings are times of day, as numbers with a format."""
    rows = [['單位：kWh'], ['日期', *(clock_cell(hour) for hour in range(24))]]
    for day, time in enumerate(times('2026-05-25', timedelta(days=1), 5)):
        rows.append([date_cell(time), *(wave(hour + day, '2.4', '0.65') for hour in range(24))])
    return workbook({'時報': rows})


def workbook_1904():
    """Dates are counted from 1904, as in old workbooks of a Macintosh."""
    rows = [['Zeit', 'Verbrauch (kWh)']]
    for i, time in enumerate(times('2026-03-17', HOUR / 2, 48)):
        rows.append([time_cell(time, datetime(1904, 1, 1)), wave(i, '0.45', '0.15')])
    return workbook({'Daten': rows}, date1904=True)


def cover_sheet():
    """The data are on the second sheet."""
    data = [['Timestamp', 'Main (kWh)', 'Lifts (kWh)']]
    for i, time in enumerate(times('2026-06-01', HOUR, 48)):
        data.append([time_cell(time), wave(i, 12, '1.5'), wave(i, '0.8', '0.2')])
    return workbook(
        {
            'Cover': [['Energy report'], ['Period', '2026-06-01', '2026-06-02'], ['Sites', 1], ['Author', 'Facility team']],
            'Data': data,
            'Notes': [['Lifts were serviced on 2 June.']],
        }
    )


# Text in other encodings


def taipower_hours():
    lines = ['用電戶名：仁愛大樓', '日期,時間,用電度數(度),電費(元)']
    energy = [wave(i, '31.5', '4.25') for i in range(48)]
    for i, time in enumerate(times('2026-06-01', HOUR, 48)):
        lines.append(f'115年{time.month}月{time.day}日,{half_day(time)},{energy[i]},{energy[i] * 4:.0f}')
    lines.append(f'合計,,"{sum(energy):,}","{sum(energy) * 4:,.0f}"')
    return '\r\n'.join([*lines, '']).encode('big5')


def load_curve_1252():
    lines = ['Zählpunkt;DE0009999999900000000000000000017', 'Straße;Musterstraße 1', 'OBIS;Datum;Uhrzeit;Wert;Einheit;Güte']
    for code, unit, base in (('1-1:1.29.0', 'kWh', '986.5'), ('1-1:2.29.0', 'kWh', '0.5'), ('1-1:3.29.0', 'kvarh', '101.5')):
        for i, time in enumerate(times('2026-03-17', HOUR, 48)):
            lines.append(f'{code};{time:%d.%m.%Y;%H:%M};{german(wave(i, base, "75.5"))};{unit};W')
    return '\r\n'.join([*lines, '']).encode('cp1252')


def tabs_utf16():
    lines = ['時間\t冷氣 (kWh)\t插座 (kWh)']
    for i, time in enumerate(times('2026-06-01', HOUR, 48)):
        lines.append(f'{time.year}/{time.month}/{time.day} {half_day(time)}:00\t{wave(i, "6.5", "1.5")}\t{wave(i, "2.25", "0.25", 5)}')
    return b'\xff\xfe' + '\r\n'.join([*lines, '']).encode('utf-16-le')


def quarter_hours():
    lines = ['utc_time,kwh']
    for i, time in enumerate(times('2026-05-31T16:00', QUARTER, 96)):
        lines.append(f'{time:%Y-%m-%dT%H:%M:%SZ},{wave(i, "1.2", "0.3")}')
    return '\n'.join([*lines, '']).encode()


def compressed(content):
    return gzip.compress(content, mtime=0)


def zipped_csv(start):
    lines = ['Zeitpunkt;Energie kWh']
    for i, time in enumerate(times(start, HOUR, 48)):
        lines.append(f'{time:%d.%m.%Y %H:%M};{german(wave(i, "3.4", "0.45"))}')
    return '\n'.join([*lines, '']).encode()


# Containers that are refused


def compound_file(streams):
    """Compound file with sectors of 512 bytes; each stream takes eight sectors."""
    end, free, fat_mark = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
    fat = [fat_mark, end]
    for _ in streams:
        start = len(fat)
        fat += [*range(start + 1, start + 8), end]
    fat += [free] * (128 - len(fat))

    def entry(name, kind, child, right, start, size):
        raw = (name + '\0').encode('utf-16-le')
        return struct.pack(
            '<64sHBBIII16sIQQIQ', raw, len(raw), kind, 1, free, right, child, b'', 0, 0, 0, start, size
        )

    directory = entry('Root Entry', 5, 1, free, end, 0)
    for i, name in enumerate(streams):
        right = i + 2 if i + 1 < len(streams) else free
        directory += entry(name, 2, free, right, 2 + 8 * i, 4096)
    directory = directory.ljust(512, b'\0')
    header = struct.pack('<8s16sHHHHH6xIIIIIIIII', bytes.fromhex('d0cf11e0a1b11ae1'), b'', 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, end, 0, end, 0)
    header += struct.pack('<109I', 0, *[free] * 108)
    return (
        header
        + struct.pack('<128I', *fat)
        + directory
        + b''.join(content.ljust(4096, b'\0')[:4096] for content in streams.values())
    )


def password_workbook():
    info = struct.pack('<HHI', 4, 4, 0x40) + b'<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption"/>'
    return compound_file({'EncryptionInfo': info, 'EncryptedPackage': struct.pack('<Q', 4000) + b'\x5a' * 4000})


def old_workbook():
    return compound_file({'Workbook': struct.pack('<HHHHHHII', 0x0809, 16, 0x0600, 5, 0x0DBB, 0x07CC, 0, 6)})


FILES = {
    'roc-hand-sheet.xlsx': roc_hand_sheet(),
    'roc-counter-sheet.xlsx': roc_counter_sheet(),
    'bems-two-headings.xlsx': bems_two_headings(),
    'solis-daily-counter.xlsx': solis_daily_counter(),
    'goodwe-sems.xlsx': goodwe_sems(),
    'solarman-days.xlsx': solarman_days(),
    'eredes-autumn.xlsx': eredes_autumn(),
    'matrix-time-cells.xlsx': matrix_time_cells(),
    'workbook-1904.xlsx': workbook_1904(),
    'cover-sheet.xlsx': cover_sheet(),
    'taipower-hours-big5.csv': taipower_hours(),
    'lastgang-windows-1252.csv': load_curve_1252(),
    'utf16le-tabs.txt': tabs_utf16(),
    'quarter-hours.csv.gz': compressed(quarter_hours()),
    'one-file.zip': archive({'export/meter.csv': zipped_csv('2026-03-17')}),
    'two-files.zip': archive({'march.csv': zipped_csv('2026-03-17'), 'april.csv': zipped_csv('2026-04-17')}),
    'password.xlsx': password_workbook(),
    'old-workbook.xls': old_workbook(),
    'cut.csv.gz': compressed(quarter_hours())[:200],
    'cut.xlsx': workbook_1904()[:1500],
}

if __name__ == '__main__':
    for name, content in FILES.items():
        (FOLDER / name).write_bytes(content)
