"""Energy of each meter in the files of this folder, read by recipes.

A person has looked at each file and has written down its recipe: its columns, units, order of dates, zone and steps. Nothing is
inferred. So the totals do not depend on the import of the product, whose tests compare with index.json.

    python3 tests/data/imports/sums.py            prints {file: {meter: {kWh, from, to, rows}}}
    python3 tests/data/imports/sums.py --check    exits 1 if index.json differs

Intervals: kWh is their sum, `from` the start of the first with a value, `to` the end of the last. Counters: kWh is the sum of their
rises, where a fall counts 0; `from` and `to` are the first and the last reading. `rows` is the number of values.
"""

import csv
import gzip
import io
import json
import re
import sys
import zipfile
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

FOLDER = Path(__file__).parent
NO_CASES = {'index.json', 'sums.py', 'make-binary.py', 'README.md', '.gitattributes'}
ENERGY = {'kWh': Fraction(1), 'Wh': Fraction(1, 1000), 'MWh': Fraction(1000)}
POWER = {'kW': Fraction(1), 'W': Fraction(1, 1000)}
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)

# Content of files


def decoded(name, encoding='utf-8-sig'):
    content = (FOLDER / name).read_bytes()
    if name.endswith('.gz'):
        content = gzip.decompress(content)
    if name.endswith('.zip'):
        with zipfile.ZipFile(io.BytesIO(content)) as pack:
            (only,) = pack.namelist()
            content = pack.read(only)
    return content.decode(encoding)


def lines_of(name, delimiter=',', encoding='utf-8-sig'):
    return list(csv.reader(re.split(r'\r?\n', decoded(name, encoding)), delimiter=delimiter, skipinitialspace=True))


def json_of(name):
    return json.loads(decoded(name), parse_float=Fraction, parse_int=Fraction)


MAIN = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'


def sheet_of(name, number=1):
    """Cells of a sheet as texts; numbers as they are stored."""
    with zipfile.ZipFile(FOLDER / name) as pack:
        texts = []
        if 'xl/sharedStrings.xml' in pack.namelist():
            for item in ElementTree.fromstring(pack.read('xl/sharedStrings.xml')).iter(f'{MAIN}si'):
                texts.append(''.join(part.text or '' for part in item.iter(f'{MAIN}t')))
        page = ElementTree.fromstring(pack.read(f'xl/worksheets/sheet{number}.xml'))
    rows = []
    for row in page.iter(f'{MAIN}row'):
        while len(rows) < int(row.get('r')):
            rows.append([])
        for cell in row.iter(f'{MAIN}c'):
            column = 0
            for sign in re.match('[A-Z]+', cell.get('r')).group():
                column = column * 26 + ord(sign) - 64
            value = cell.findtext(f'{MAIN}v', '')
            cells = rows[-1]
            cells += [''] * (column - len(cells))
            cells[column - 1] = texts[int(value)] if cell.get('t') == 's' else value
    return rows


# Times


def stamp(text, pattern):
    return datetime.strptime(text.strip(), pattern)


def midnight_24(date, clock, pattern):
    """24:00 is the end of the day."""
    if clock == '24:00':
        return stamp(f'{date} 00:00', pattern) + DAY
    return stamp(f'{date} {clock}', pattern)


def iso(text):
    return datetime.fromisoformat(text.strip().replace('Z', '+00:00'))


def seconds(text):
    return EPOCH + timedelta(seconds=int(text))


def minguo(text):
    """115/06/01, 115.6.1, 115年6月1日 and 1150601."""
    found = re.fullmatch(r'(\d{3})\D?(\d{1,2})\D?(\d{1,2})日?', text)
    return datetime(1911 + int(found[1]), int(found[2]), int(found[3]))


def half_day(text):
    """上午 12:00 is 0 hours, 下午 12:00 is 12 hours after midnight."""
    half, hour, minute = re.match(r'(上午|下午) (\d+):(\d+)', text).groups()
    return timedelta(hours=int(hour) % 12 + (12 if half == '下午' else 0), minutes=int(minute))


def serial(text, base=datetime(1899, 12, 30)):
    """Date of a workbook, rounded to the minute."""
    return base + MINUTE * round(Fraction(text) * 1440)


class Clock:
    """Instants of local times; the second of two equal ones is the hour after the clocks went back."""

    def __init__(self, zone):
        self.zone, self.met = ZoneInfo(zone), {}

    def at(self, time, meter=''):
        if time.tzinfo:
            return time.astimezone(timezone.utc)
        count = self.met[meter, time] = self.met.get((meter, time), 0) + 1
        first, second = (time.replace(tzinfo=self.zone, fold=fold).astimezone(timezone.utc) for fold in (0, 1))
        if first > second:
            raise ValueError(f'{time} does not exist')
        if count > (2 if second > first else 1):
            raise ValueError(f'{time} occurs {count} times')
        return second if count == 2 else first

    def later(self, instant, step):
        if step == 'day':
            return self.at_once(self.local(instant) + DAY)
        if step == 'month':
            return self.at_once((self.local(instant).replace(day=1) + 32 * DAY).replace(day=1))
        return instant + step * MINUTE

    def local(self, instant):
        return instant.astimezone(self.zone).replace(tzinfo=None)

    def at_once(self, time):
        return time.replace(tzinfo=self.zone).astimezone(timezone.utc)


# Results


class Sums:
    def __init__(self, zone):
        self.zone, self.values, self.counters = ZoneInfo(zone), {}, {}

    def interval(self, meter, start, end, kwh):
        if end <= start:
            raise ValueError(f'{meter}: {start} to {end}')
        self.values.setdefault(meter, []).append((start, end, kwh))

    def reading(self, meter, instant, kwh):
        self.counters.setdefault(meter, []).append((instant, kwh))

    def result(self):
        out = {}
        for meter, values in self.values.items():
            values.sort()
            for (_, end, _), (start, _, _) in zip(values, values[1:]):
                if start < end:
                    raise ValueError(f'{meter}: overlap at {start}')
            out[meter] = self.entry(sum(v for _, _, v in values), values[0][0], values[-1][1], len(values))
        for meter, readings in self.counters.items():
            readings.sort()
            steps = [after - before for (_, before), (_, after) in zip(readings, readings[1:])]
            out[meter] = self.entry(sum(s for s in steps if s > 0), readings[0][0], readings[-1][0], len(readings))
            falls = sum(step < 0 for step in steps)
            if falls:
                out[meter]['falls'] = falls
        return out

    def entry(self, kwh, first, last, rows):
        number = round(float(kwh), 9)
        return {
            'kWh': int(number) if number == int(number) else number,
            'from': first.astimezone(self.zone).isoformat(),
            'to': last.astimezone(self.zone).isoformat(),
            'rows': rows,
        }


def number(text, decimal='.', thousands=''):
    for sign in thousands:
        text = text.replace(sign, '')
    return Fraction(text.strip().replace(decimal, '.'))


def in_kwh(value, unit, start, end):
    if unit in POWER:
        return value * POWER[unit] * Fraction(int((end - start).total_seconds()), 3600)
    return value * ENERGY[unit]


def table(
    rows,
    zone,
    head,
    when,
    values=None,
    long=None,
    step=None,
    until=None,
    end=False,
    counter=False,
    clock=None,
    decimal='.',
    thousands='',
    gaps=('',),
    skip=(),
):
    """Reads a table.

    rows      cells of its lines
    zone      of the site
    head      number of lines above the first value
    when      time of a line: local, or with an offset
    values    {meter: (column, unit)}
    long      (meter, column, unit) of a line, or None for a line of something else than energy
    step      minutes of an interval, 'day' or 'month'
    until     time at which the interval of a line ends
    end       whether `when` is the end of the interval
    counter   whether the values are readings of a counter
    clock     zone of the times, where it is not that of the site
    gaps      texts without a value
    skip      numbers of lines below the head that hold no value or may not be read
    """
    sums, times = Sums(zone), Clock(clock or zone)
    ends = Clock(clock or zone)
    for line, row in enumerate(rows, 1):
        if line <= head or line in skip or not any(cell.strip() for cell in row):
            continue
        if long:
            found = long(row)
            cells = [found] if found else []
        else:
            cells = [(meter, column, unit) for meter, (column, unit) in values.items()]
        known = None
        for meter, column, unit in cells:
            known = known or (times.at(when(row), meter if long else ''), until and ends.at(until(row), meter if long else ''))
            text = row[column].strip() if column < len(row) else ''
            if text in gaps:
                continue
            time, stop = known
            value = number(text, decimal, thousands)
            if counter:
                sums.reading(meter, time, value * ENERGY[unit])
                continue
            if end:
                time, stop = times.later(time, -step), time
            elif not stop:
                stop = times.later(time, step)
            sums.interval(meter, time, stop, in_kwh(value, unit, time, stop))
    return sums.result()


def matrix(rows, zone, head, day, meter, first, minutes, unit='kWh', clock=None, decimal='.', skip=()):
    """Reads a row for each day; the columns from `first` on are its steps in order."""
    sums, times = Sums(zone), Clock(clock or zone)
    for line, row in enumerate(rows, 1):
        if line <= head or line in skip or not any(cell.strip() for cell in row):
            continue
        start = times.at_once(day(row))
        for i in range(1440 // minutes):
            begin = start + i * minutes * MINUTE
            stop = begin + minutes * MINUTE
            sums.interval(meter(row), begin, stop, in_kwh(number(row[first + i], decimal), unit, begin, stop))
    return sums.result()


# Other containers


def nem12(name, zone):
    """Days of AEST, which has no summer time; reactive energy is left out."""
    sums, meter, unit, minutes = Sums(zone), '', '', 0
    for row in lines_of(name):
        if row and row[0] == '200':
            meter, unit, minutes = f'{row[1]} {row[4]}', row[7], int(row[8])
        # A day that is cut off is no day.
        if row and row[0] == '300' and unit in ENERGY and len(row) >= 2 + 1440 // minutes:
            day = stamp(row[1], '%Y%m%d').replace(tzinfo=timezone(timedelta(hours=10))).astimezone(timezone.utc)
            for i in range(1440 // minutes):
                start = day + i * minutes * MINUTE
                sums.interval(meter, start, start + minutes * MINUTE, Fraction(row[2 + i]) * ENERGY[unit])
    return sums.result()


def espi(name, zone, wanted):
    """Blocks of the meter readings {title: unit and power of ten}, in the order of the file."""
    sums, atom, ns = Sums(zone), '{http://www.w3.org/2005/Atom}', '{http://naesb.org/espi}'
    title = ''
    for entry in ElementTree.parse(FOLDER / name).getroot().iter(f'{atom}entry'):
        if entry.find(f'.//{ns}MeterReading') is not None:
            title = entry.findtext(f'{atom}title')
        if title not in wanted:
            continue
        unit, power = wanted[title]
        for reading in entry.iter(f'{ns}IntervalReading'):
            start = seconds(reading.findtext(f'{ns}timePeriod/{ns}start'))
            stop = start + timedelta(seconds=int(reading.findtext(f'{ns}timePeriod/{ns}duration')))
            value = Fraction(reading.findtext(f'{ns}value')) * Fraction(10) ** power
            sums.interval(title, start, stop, in_kwh(value, unit, start, stop))
    return sums.result()


def solaredge(name, zone, minutes, when):
    sums, times = Sums(zone), Clock(zone)
    for item in json_of(name)['energy']['values']:
        start = times.at(when(item['date']))
        if item['value'] is not None:
            sums.interval('energy', start, start + minutes * MINUTE, item['value'] / 1000)
    return sums.result()


def emoncms(name, zone):
    sums = Sums(zone)
    for milliseconds, value in json_of(name):
        if value is not None:
            sums.reading('*', seconds(milliseconds / 1000), value)
    return sums.result()


def thingsboard(name, zone, key):
    sums = Sums(zone)
    for item in json_of(name)[key]:
        sums.reading(key, seconds(item['ts'] / 1000), Fraction(item['value']))
    return sums.result()


def transposed(name, zone, rows):
    """A series in each row, the starts of its hours in the heading."""
    sums, lines = Sums(zone), lines_of(name)
    for row in lines[1:]:
        if row and row[0] in rows:
            for text, value in zip(lines[0][3:], row[3:]):
                sums.interval(row[0], iso(text), iso(text) + 60 * MINUTE, Fraction(value))
    return sums.result()


# Small columns of recipes


def plain(column=0, pattern='%Y-%m-%d %H:%M'):
    return lambda row: stamp(row[column], pattern)


def two(date, clock, pattern):
    return lambda row: stamp(f'{row[date]} {row[clock]}', pattern)


def with_offset(column):
    return lambda row: iso(row[column])


def day_of_roc(column):
    return lambda row: minguo(row[column])


def filled_down(rows, column, head):
    """The date of a day is only in its first row, as a merged cell."""
    last = ''
    for row in rows[head:]:
        last = row[column] = row[column] or last
    return rows


def only(meter, column, unit='kWh'):
    return {meter: (column, unit)}


def kwh(**columns):
    return {name: (column, 'kWh') for name, column in columns.items()}


TAIPEI = 'Asia/Taipei'
AMSTERDAM = 'Europe/Amsterdam'
BERLIN = 'Europe/Berlin'
LONDON = 'Europe/London'
VIENNA = 'Europe/Vienna'
LOS_ANGELES = 'America/Los_Angeles'

# Lines below the heading that hold no value of their own, such as totals, or may not be read.
LEFT_OUT = {
    'taipower-demand-15min.csv': (200, 201, 202),
    'taipower-hours-big5.csv': (51,),
    'taipower-tou-days.csv': (14, 25, 36, 37),
    'hour-numbers-24-columns.csv': (9,),
    'roc-hand-sheet.xlsx': (29, 54, 79, 80, 81),
    'lastgang-spring-berlin.csv': (195, 196),
    'days-from-to-total-row.csv': (64,),
    'duplicate-lines.csv': (16, 17, 18, 19),
    'duplicate-lines-conflict.csv': (10, 11, 18, 19),
    'repeated-heading.csv': (74,),
    'cut-in-a-line.csv': (82,),
    'columns-swapped-half-way.csv': range(26, 50),
    'ten-minutes-part-missing.csv': (14, 15),
    'dates-far-off.csv': (8, 12),
    'repeated-hour-without-order.csv': range(10, 18),
    'negative-values.csv': [
        line for line, row in enumerate(lines_of('negative-values.csv'), 1) if len(row) > 4 and row[4].startswith('-')
    ],
}

RECIPES = {
    # The first cases
    'apostrophe-thousands.csv': lambda name: table(
        lines_of(name, ';'), TAIPEI, 1, plain(), only('Reading', 1), counter=True, thousands="'"
    ),
    'autumn-hour-twice.csv': lambda name: table(lines_of(name), LONDON, 1, plain(), only('Usage kWh', 1), step=60),
    'bare-serials.xlsx': lambda name: table(
        sheet_of(name), TAIPEI, 1, lambda row: serial(row[0]), only('用電量', 1), step=15
    ),
    'date-cell-and-time-cell.xlsx': lambda name: table(
        sheet_of(name),
        TAIPEI,
        1,
        lambda row: serial(str(Fraction(row[0]) + Fraction(row[1]))),
        only('用電量', 2),
        step=15,
    ),
    'decimal-comma-counter.csv': lambda name: table(
        lines_of(name, ';'), TAIPEI, 1, plain(), only('累計讀數', 1), counter=True, decimal=','
    ),
    'decimal-comma-interval.csv': lambda name: table(
        lines_of(name, ';'), TAIPEI, 1, two(0, 1, '%d-%m-%Y %H:%M:%S'), only('Volume', 2), step=15, decimal=','
    ),
    'header-utc.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(), only('Usage kWh', 1), step=15, clock='UTC'
    ),
    'interval-10-minutes.csv': lambda name: table(lines_of(name), TAIPEI, 1, plain(), only('Usage kWh', 1), step=10),
    'matrix-days-by-96.csv': lambda name: matrix(
        lines_of(name), TAIPEI, 1, plain(0, '%Y-%m-%d'), lambda row: '*', 1, 15
    ),
    'postgres-offset.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, lambda row: iso(row[0] + ':00'), only('kwh usage', 1), step=15
    ),
    'stamp-at-end.csv': lambda name: table(
        lines_of(name),
        TAIPEI,
        1,
        lambda row: midnight_24(*row[0].split(' '), '%Y/%m/%d %H:%M'),
        only('用電量(kWh)', 1),
        step=15,
        end=True,
    ),
    'two-columns-semicolon-short.csv': lambda name: table(
        lines_of(name, ';'), TAIPEI, 1, plain(), only('kWh', 1), step=15, decimal=','
    ),
    'two-digit-year.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(0, '%y-%m-%d %H:%M'), only('Usage kWh', 1), step=15
    ),
    'unit-kw-mean.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(0, '%Y/%m/%d %H:%M'), only('需量(kW)', 1, 'kW'), step=15
    ),
    'unit-mwh.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(), only('Consumption [MWh]', 1, 'MWh'), step=15
    ),
    'unit-wh.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(0, '%m/%d/%Y %H:%M'), only('Energy Produced (Wh)', 1, 'Wh'), step=15
    ),
    'utf16be.csv': lambda name: table(
        lines_of(name, '\t', 'utf-16'), TAIPEI, 1, plain(0, '%Y/%m/%d %H:%M'), only('用電量', 1), step=15
    ),
    # Taiwan
    'taipower-demand-15min.csv': lambda name: table(
        lines_of(name),
        TAIPEI,
        7,
        lambda row: midnight_24(f'{minguo(row[0]):%Y-%m-%d}', row[1], '%Y-%m-%d %H:%M'),
        only('需量(瓩)', 2, 'kW'),
        step=15,
        end=True,
        skip=LEFT_OUT[name],
    ),
    'taipower-hours-big5.csv': lambda name: table(
        lines_of(name, ',', 'big5'),
        TAIPEI,
        2,
        lambda row: minguo(row[0]) + half_day(row[1]),
        only('用電度數(度)', 2),
        step=60,
        skip=LEFT_OUT[name],
    ),
    'taipower-tou-days.csv': lambda name: table(
        lines_of(name),
        TAIPEI,
        3,
        day_of_roc(0),
        kwh(尖峰度數=1, 半尖峰度數=2, 離峰度數=3, 總度數=4),
        step='day',
        skip=LEFT_OUT[name],
    ),
    'solar-surplus-taiwan.csv': lambda name: table(
        lines_of(name),
        TAIPEI,
        3,
        plain(0, '%Y/%m/%d %H:%M'),
        {'發電(kWh)': (1, 'kWh'), '購電(kWh)': (2, 'kWh'), '餘電躉售(kWh)': (3, 'kWh')},
        step=30,
    ),
    'hour-numbers-24-columns.csv': lambda name: matrix(
        lines_of(name), TAIPEI, 2, plain(1, '%Y/%m/%d'), lambda row: row[0], 2, 60, skip=LEFT_OUT[name]
    ),
    'roc-hand-sheet.xlsx': lambda name: table(
        filled_down(sheet_of(name), 0, 4),
        TAIPEI,
        4,
        lambda row: minguo(row[0]) + timedelta(hours=int(row[1].split(':')[0])),
        {'1F照明': (2, 'kWh'), '2F空調': (3, 'kWh')},
        step=60,
        skip=LEFT_OUT[name],
    ),
    'roc-counter-sheet.xlsx': lambda name: table(
        sheet_of(name),
        TAIPEI,
        1,
        lambda row: minguo(row[0]) + half_day(row[1]),
        {'主電表讀數(kWh)': (2, 'kWh'), '空調電表讀數(kWh)': (3, 'kWh')},
        counter=True,
    ),
    'bems-two-headings.xlsx': lambda name: table(
        sheet_of(name),
        TAIPEI,
        4,
        lambda row: serial(row[0]),
        {'A棟 用電量': (1, 'kWh'), 'B棟 用電量': (3, 'kWh')},
        step=15,
    ),
    'matrix-time-cells.xlsx': lambda name: matrix(
        sheet_of(name), TAIPEI, 2, lambda row: serial(row[0]), lambda row: '*', 1, 60
    ),
    'utf16le-tabs.txt': lambda name: table(
        lines_of(name, '\t', 'utf-16'),
        TAIPEI,
        1,
        lambda row: stamp(row[0].split(' ', 1)[0], '%Y/%m/%d') + half_day(row[0].split(' ', 1)[1]),
        {'冷氣 (kWh)': (1, 'kWh'), '插座 (kWh)': (2, 'kWh')},
        step=60,
    ),
    # Inverters and loggers
    'sma-webui-5min.csv': lambda name: table(
        lines_of(name),
        AMSTERDAM,
        9,
        plain(0, '%d.%m.%Y %H:%M:%S'),
        only('Metering.TotWhOut', 1, 'Wh'),
        counter=True,
        gaps=('NaN',),
    ),
    'sma-sunny-explorer.csv': lambda name: table(
        lines_of(name, ';'),
        BERLIN,
        9,
        plain(0, '%d.%m.%Y %H:%M:%S'),
        {'SB 240-10 253 Gesamtertrag': (1, 'kWh'), 'SB 240-10 312 Gesamtertrag': (3, 'kWh')},
        counter=True,
        decimal=',',
    )
    | table(
        lines_of(name, ';'),
        BERLIN,
        9,
        plain(0, '%d.%m.%Y %H:%M:%S'),
        {'SB 240-10 253 Leistung': (2, 'kW'), 'SB 240-10 312 Leistung': (4, 'kW')},
        step=5,
        decimal=',',
    ),
    'fronius-solarweb-5min.csv': lambda name: table(
        lines_of(name),
        VIENNA,
        2,
        plain(0, '%d.%m.%Y %H:%M'),
        {'Energy | Symo 10.0-3-M (1)': (1, 'Wh'), 'Consumption': (2, 'Wh')},
        step=5,
    ),
    'huawei-fusionsolar-autumn.csv': lambda name: table(
        lines_of(name, ';'),
        BERLIN,
        2,
        lambda row: iso(row[0].replace(' DST', '+02:00') if 'DST' in row[0] else row[0] + '+01:00'),
        {'PV-Ertrag (kWh)': (3, 'kWh'), 'Netzeinspeisung (kWh)': (4, 'kWh'), 'Netzbezug (kWh)': (5, 'kWh')},
        step=60,
        decimal=',',
    ),
    'enphase-spring-los-angeles.csv': lambda name: table(
        lines_of(name),
        LOS_ANGELES,
        1,
        plain(0, '%m/%d/%Y %H:%M'),
        {
            'Energy Produced (Wh)': (1, 'Wh'),
            'Energy Consumed (Wh)': (2, 'Wh'),
            'Exported to Grid (Wh)': (3, 'Wh'),
            'Imported from Grid (Wh)': (4, 'Wh'),
        },
        step=60,
    ),
    'solaredge-quarters.json': lambda name: solaredge(
        name, AMSTERDAM, 15, lambda text: stamp(text, '%Y-%m-%d %H:%M:%S')
    ),
    'solaredge-hours-offset.json': lambda name: solaredge(
        name, AMSTERDAM, 60, lambda text: iso(text.replace(' CEST+0200', '+02:00'))
    ),
    'isolarcloud-month.csv': lambda name: table(
        lines_of(name),
        BERLIN,
        1,
        plain(0, '%Y-%m-%d'),
        {
            'PV(kWh)': (1, 'kWh'),
            'Purchased Energy(kWh)': (2, 'kWh'),
            'Feed-in(kWh)': (3, 'kWh'),
            'Load(kWh)': (4, 'kWh'),
        },
        step='day',
    ),
    'solis-daily-counter.xlsx': lambda name: table(
        sheet_of(name),
        LONDON,
        1,
        plain(0, '%d/%m/%Y %H:%M:%S'),
        {'Today Generation(kWh)': (1, 'kWh'), 'Total Generation(kWh)': (2, 'kWh')},
        counter=True,
    ),
    'goodwe-sems.xlsx': lambda name: table(
        sheet_of(name),
        BERLIN,
        3,
        plain(0, '%d.%m.%Y %H:%M:%S'),
        {'PV(W)': (1, 'W'), 'Load(W)': (5, 'W')},
        step=5,
    ),
    'solarman-days.xlsx': lambda name: table(
        sheet_of(name),
        'Europe/Lisbon',
        1,
        plain(1, '%Y/%m/%d'),
        {
            'Production-Today(kWh)': (3, 'kWh'),
            'Consumption-Today(kWh)': (4, 'kWh'),
            'Energy Purchased-Today(kWh)': (5, 'kWh'),
        },
        step='day',
    ),
    'shelly-em1data.csv': lambda name: table(
        lines_of(name),
        TAIPEI,
        1,
        lambda row: seconds(row[0]),
        {
            'total_act_energy': (1, 'Wh'),
            'fund_act_energy': (2, 'Wh'),
            'total_act_ret_energy': (3, 'Wh'),
            'fund_act_ret_energy': (4, 'Wh'),
        },
        step=1,
    ),
    'shelly-em3-utc-10min.csv': lambda name: table(
        lines_of(name),
        AMSTERDAM,
        1,
        plain(),
        {'Active energy Wh (A)': (1, 'Wh'), 'Returned energy Wh (A)': (2, 'Wh')},
        step=10,
        clock='UTC',
    ),
    'iotawatt-5min.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(0, '%Y-%m-%dT%H:%M:%S'), {'Main.wh': (1, 'Wh'), 'Solar.wh': (2, 'Wh')}, step=5
    ),
    'emoncms-feed.json': lambda name: emoncms(name, LONDON),
    'emoncms-csvexport.csv': lambda name: table(
        lines_of(name), TAIPEI, 0, lambda row: seconds(row[0]), only('*', 1, 'W'), step=1
    ),
    'ha-history.csv': lambda name: table(
        lines_of(name),
        TAIPEI,
        1,
        with_offset(2),
        long=lambda row: (row[0], 1, 'kWh') if row[0].endswith('_energy') else None,
        counter=True,
        gaps=('unavailable', 'unknown'),
    ),
    'ha-statistics-delta.tsv': lambda name: table(
        lines_of(name, '\t'), BERLIN, 1, plain(2, '%d.%m.%Y %H:%M'), long=lambda row: (row[0], 3, row[1]), step=60
    ),
    'ha-energy-transposed.csv': lambda name: transposed(name, BERLIN, ('sensor.l1_in', 'sensor.l1_out', 'sensor.roof')),
    'thingsboard-timeseries.json': lambda name: thingsboard(name, TAIPEI, 'energyTotal'),
    'grafana-formatted-units.csv': lambda name: table(
        [[row[0], *row[1].split(' ')] if row and row[0][0] == '2' else row for row in lines_of(name)],
        TAIPEI,
        1,
        plain(0, '%Y-%m-%d %H:%M:%S'),
        long=lambda row: ('主盤 用電量', 1, row[2]),
        step=15,
    ),
    'grafana-inclusive-range.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(0, '%Y-%m-%d %H:%M:%S'), only('Panel A kWh', 1), step=60
    ),
    'influx-annotated.csv': lambda name: table(
        lines_of(name), TAIPEI, 4, with_offset(5), long=lambda row: (row[9], 6, 'kWh'), counter=True
    ),
    'chronograf-offset.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, with_offset(0), only('kWh.first_value', 1), counter=True
    ),
    # Utilities
    'nem12-b1-e1-kvarh.csv': lambda name: nem12(name, 'Australia/Sydney'),
    'nem12-5min-wh.csv': lambda name: nem12(name, 'Australia/Sydney'),
    'nem12-without-end.csv': lambda name: nem12(name, 'Australia/Sydney'),
    'espi-spring-los-angeles.xml': lambda name: espi(
        name, LOS_ANGELES, {'Delivered': ('Wh', -3), 'Received': ('Wh', -3)}
    ),
    'espi-demand-kw.xml': lambda name: espi(name, TAIPEI, {'Demand': ('W', 3)}),
    'eredes-autumn.xlsx': lambda name: table(
        sheet_of(name),
        'Europe/Lisbon',
        6,
        two(1, 2, '%Y/%m/%d %H:%M'),
        {'Consumo registado, Ativa (kW)': (3, 'kW'), 'Injeção na rede medida na IC, Ativa (kW)': (4, 'kW')},
        step=15,
        end=True,
    ),
    'enel-96-ranges.csv': lambda name: matrix(
        lines_of(name, ';'), 'Europe/Rome', 1, plain(0, '%d/%m/%Y'), lambda row: '*', 1, 15, decimal=','
    ),
    'fluvius-quarters.csv': lambda name: table(
        lines_of(name, ';'),
        'Europe/Brussels',
        1,
        two(0, 1, '%d-%m-%Y %H:%M:%S'),
        long=lambda row: (f'{row[5]} {row[7]}', 8, row[9]) if row[9] == 'kWh' else None,
        until=two(2, 3, '%d-%m-%Y %H:%M:%S'),
        decimal=',',
    ),
    'enedis-load-curve.csv': lambda name: table(
        lines_of(name, ';'), 'Europe/Paris', 3, with_offset(0), only('Valeur', 1, 'W'), step=30, end=True
    ),
    'octopus-autumn-london.csv': lambda name: table(
        lines_of(name), LONDON, 1, with_offset(3), only('Consumption (kwh)', 0), until=with_offset(4)
    ),
    'uk-hh-48-ends.csv': lambda name: matrix(
        lines_of(name), LONDON, 1, plain(2, '%d/%m/%Y'), lambda row: row[1], 4, 30
    ),
    'uk-hh-48-numbers-autumn.csv': lambda name: matrix(
        lines_of(name), LONDON, 1, plain(1, '%d/%m/%Y'), lambda row: row[0], 3, 30, clock='UTC'
    ),
    'london-spring-half-hours.csv': lambda name: table(
        lines_of(name), LONDON, 1, two(0, 1, '%d %b %Y %H:%M'), only('Usage (kWh)', 3), step=30
    ),
    'lastgang-spring-berlin.csv': lambda name: table(
        lines_of(name, ';'),
        BERLIN,
        6,
        two(0, 1, '%d.%m.%Y %H:%M'),
        only('Leistung [kW]', 3, 'kW'),
        step=15,
        decimal=',',
        thousands='.',
        skip=LEFT_OUT[name],
    ),
    'lastgang-windows-1252.csv': lambda name: table(
        lines_of(name, ';', 'cp1252'),
        BERLIN,
        3,
        two(1, 2, '%d.%m.%Y %H:%M'),
        long=lambda row: (row[0], 3, row[4]) if row[4] == 'kWh' else None,
        step=60,
        decimal=',',
        thousands='.',
    ),
    'standard-time-both-days.csv': lambda name: table(
        lines_of(name, ';'),
        BERLIN,
        1,
        lambda row: stamp(row[0], '%d.%m.%Y') + timedelta(hours=int(row[1]) - 1),
        only('Bezug (kWh)', 2),
        step=60,
        clock='Etc/GMT-1',
        decimal=',',
    ),
    'pge-autumn-los-angeles.csv': lambda name: table(
        lines_of(name),
        LOS_ANGELES,
        6,
        two(1, 2, '%Y-%m-%d %H:%M'),
        {'IMPORT (kWh)': (4, 'kWh'), 'EXPORT (kWh)': (5, 'kWh')},
        step=15,
    ),
    'coned-half-hours.csv': lambda name: table(
        lines_of(name), 'America/New_York', 6, two(1, 2, '%m/%d/%Y %H:%M'), only('USAGE', 4), step=30
    ),
    'eloverblik-from-to.csv': lambda name: table(
        lines_of(name, ';'),
        'Europe/Copenhagen',
        1,
        plain(1, '%d-%m-%Y %H:%M:%S'),
        long=lambda row: (row[0], 3, 'kWh'),
        until=plain(2, '%d-%m-%Y %H:%M:%S'),
        decimal=',',
    ),
    'datadis-25-hours.csv': lambda name: table(
        [[*row, str(i)] if row else row for i, row in enumerate(lines_of(name, ';'))],
        'Europe/Madrid',
        1,
        # Line 1 is the first hour of 25 October; all hours follow without a gap.
        lambda row: datetime(2025, 10, 24, 22, tzinfo=timezone.utc) + timedelta(hours=int(row[-1]) - 1),
        {'AE_kWh': (3, 'kWh'), 'AS_kWh': (4, 'kWh')},
        step=60,
        decimal=',',
    ),
    'netz-noe-ends.csv': lambda name: table(
        lines_of(name, ';'),
        VIENNA,
        1,
        plain(0, '%d.%m.%Y %H:%M'),
        only('Verbrauch (kWh)', 1),
        step=15,
        end=True,
        decimal=',',
    ),
    'range-in-one-cell.csv': lambda name: table(
        lines_of(name),
        'America/Denver',
        9,
        lambda row: stamp(row[0].split(' to ')[0], '%Y-%m-%d %H:%M'),
        only('Usage(Real energy in kilowatt-hours)', 1),
        step=60,
    ),
    'days-from-to-total-row.csv': lambda name: table(
        lines_of(name, ';'),
        AMSTERDAM,
        2,
        plain(0),
        {
            'Verbruik laag tarief': (2, 'kWh'),
            'Verbruik hoog tarief': (3, 'kWh'),
            'Teruglevering': (4, 'kWh'),
            'Totaal': (5, 'kWh'),
        },
        until=plain(1),
        decimal=',',
        thousands='.',
        skip=LEFT_OUT[name],
    ),
    # Building systems
    'schneider-pme-rollover.csv': lambda name: table(
        lines_of(name),
        TAIPEI,
        1,
        plain(0, '%Y-%m-%d %H:%M:%S'),
        {
            'Plant.MSB01#Real Energy Into the Load#kWh': (1, 'kWh'),
            'Plant.MSB02#Real Energy Into the Load#kWh': (2, 'kWh'),
        },
        counter=True,
    ),
    'desigo-trend-series.csv': lambda name: table(
        lines_of(name),
        TAIPEI,
        3,
        plain(0, '%Y-%m-%d %H:%M:%S'),
        long=lambda row: (row[1], 2, 'kWh'),
        counter=True,
    ),
    # Other traits
    'months-thousands-open.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(0, '%Y/%m'), only('Main meter (kWh)', 1), step='month', thousands=','
    ),
    'thin-blank-thousands.csv': lambda name: table(
        lines_of(name, ';'),
        'Europe/Paris',
        1,
        plain(0, '%d/%m/%Y'),
        only('Énergie (kWh)', 1),
        step='day',
        decimal=',',
        thousands='\u202f',
    ),
    'duplicate-lines.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(), long=lambda row: (row[1], 2, 'kWh'), step=60, skip=LEFT_OUT[name]
    ),
    'duplicate-lines-conflict.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(), long=lambda row: (row[1], 2, 'kWh'), step=60, skip=LEFT_OUT[name]
    ),
    'gaps.csv': lambda name: table(
        lines_of(name),
        TAIPEI,
        1,
        plain(0, '%Y/%m/%d %H:%M'),
        {'A 用電量(kWh)': (1, 'kWh'), 'B 用電量(kWh)': (2, 'kWh')},
        step=30,
        gaps=('', '-', 'N/A', '#DIV/0!'),
    ),
    'direction-column.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, with_offset(0), long=lambda row: (f'{row[1]} {row[2]}', 3, row[4]), step=60
    ),
    'zone-in-title.csv': lambda name: table(
        lines_of(name), 'America/Chicago', 5, plain(), only('Energy (kWh)', 1), step=60, clock='America/New_York'
    ),
    'one-day-slashes.csv': lambda name: table(
        lines_of(name), LONDON, 1, two(0, 1, '%d/%m/%Y %H:%M'), only('kWh', 2), step=30
    ),
    'kind-open.csv': lambda name: table(lines_of(name), TAIPEI, 1, plain(), only('kWh', 1), counter=True),
    'newest-first-counters.csv': lambda name: table(
        lines_of(name, ';'),
        AMSTERDAM,
        1,
        plain(0, '%d-%m-%Y %H:%M'),
        {
            'afname stand dal': (1, 'kWh'),
            'afname stand normaal': (2, 'kWh'),
            'invoeding stand dal': (3, 'kWh'),
        },
        counter=True,
        decimal=',',
    ),
    'minute-kw.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(0, '%Y-%m-%d %H:%M:%S'), only('P (kW)', 1, 'kW'), step=1
    ),
    'mixed-units-wide.csv': lambda name: table(
        lines_of(name),
        TAIPEI,
        2,
        plain(),
        {'總表': (1, 'MWh'), '空調': (2, 'kWh'), '插座': (3, 'Wh')},
        step=60,
    ),
    'pv-daylight-only.csv': lambda name: table(lines_of(name), TAIPEI, 1, plain(), only('PV energy (kWh)', 1), step=60),
    'no-unit-interval.csv': lambda name: table(lines_of(name), TAIPEI, 1, plain(), kwh(主表=1, 照明=2), step=15),
    'repeated-heading.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(), only('Usage (kWh)', 1), step=60, skip=LEFT_OUT[name]
    ),
    'workbook-1904.xlsx': lambda name: table(
        sheet_of(name),
        BERLIN,
        1,
        lambda row: serial(row[0], datetime(1904, 1, 1)),
        only('Verbrauch (kWh)', 1),
        step=30,
    ),
    'cover-sheet.xlsx': lambda name: table(
        sheet_of(name, 2),
        TAIPEI,
        1,
        lambda row: serial(row[0]),
        {'Main (kWh)': (1, 'kWh'), 'Lifts (kWh)': (2, 'kWh')},
        step=60,
    ),
    'quarter-hours.csv.gz': lambda name: table(lines_of(name), TAIPEI, 1, with_offset(0), only('kwh', 1), step=15),
    'one-file.zip': lambda name: table(
        lines_of(name, ';'), BERLIN, 1, plain(0, '%d.%m.%Y %H:%M'), only('Energie kWh', 1), step=60, decimal=','
    ),
    # Partly refused: the other lines
    'cut-in-a-line.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(), only('Usage (kWh)', 1), step=15, skip=LEFT_OUT[name]
    ),
    'columns-swapped-half-way.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(), only('Usage (kWh)', 1), step=30, skip=LEFT_OUT[name]
    ),
    'ten-minutes-part-missing.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(), only('Usage kWh', 1), step=10, skip=LEFT_OUT[name]
    ),
    'negative-values.csv': lambda name: table(
        lines_of(name),
        LOS_ANGELES,
        5,
        two(1, 2, '%m/%d/%Y %I:%M:%S %p'),
        long=lambda row: (row[0], 4, 'kWh'),
        step=60,
        skip=LEFT_OUT[name],
    ),
    'dates-far-off.csv': lambda name: table(
        lines_of(name), TAIPEI, 1, plain(), only('Counter (kWh)', 1), counter=True, skip=LEFT_OUT[name]
    ),
    'repeated-hour-without-order.csv': lambda name: table(
        lines_of(name, ';'),
        BERLIN,
        1,
        plain(0, '%d.%m.%Y %H:%M'),
        only('Verbrauch kWh', 1),
        step=15,
        decimal=',',
        skip=LEFT_OUT[name],
    ),
}

# Files that must be refused as a whole.
REFUSED = [
    'bill.pdf',
    'currency-only.csv',
    'cut.csv.gz',
    'cut.json',
    'cut.xlsx',
    'espi-doctype.xml',
    'kvarh-only.csv',
    'mscons.edi',
    'nem13-accumulated.csv',
    'no-time.csv',
    'old-workbook.xls',
    'password.xlsx',
    'second-heading-other-units.csv',
    'two-files.zip',
]


def read_all():
    return {name: recipe(name) for name, recipe in RECIPES.items()} | {name: {} for name in REFUSED}


def differences(sums):
    index = json.loads((FOLDER / 'index.json').read_text('utf-8'))
    stated = {case['file']: {meter: dict(entry) for meter, entry in case['meters'].items()} for case in index}
    for entry in (entry for meters in stated.values() for entry in meters.values()):
        entry.pop('kind', None)
        entry.pop('direction', None)
    files = {path.name for path in FOLDER.iterdir()} - NO_CASES
    for name in sorted(files | stated.keys() | sums.keys()):
        for place, names in (('folder', files), ('index.json', stated), ('sums.py', sums)):
            if name not in names:
                yield f'{name}: missing in {place}'
    for name in sorted(stated.keys() & sums.keys()):
        for meter in sorted(stated[name].keys() | sums[name].keys()):
            if stated[name].get(meter) != sums[name].get(meter):
                yield f'{name}, {meter}: {stated[name].get(meter)} in index.json, {sums[name].get(meter)} by its recipe'
    for case in index:
        lines = sorted(entry['line'] for key in ('skippedLines', 'refusedLines') for entry in case.get(key, []))
        if lines != list(LEFT_OUT.get(case['file'], ())):
            yield f'{case["file"]}: lines {lines} in index.json, {list(LEFT_OUT.get(case["file"], ()))} by its recipe'


if __name__ == '__main__':
    totals = read_all()
    if '--check' in sys.argv:
        wrong = list(differences(totals))
        print('\n'.join(wrong) or f'{len(totals)} files agree')
        sys.exit(1 if wrong else 0)
    print(json.dumps(totals, ensure_ascii=False, indent=1))
