import { describe, expect, it } from 'vitest'
import { atomEntry, espiReading, feedOf, greenButtonOf, open } from './build-files.ts'

/** 2026-06-01T00:00:00Z. */
const START = 1_780_272_000
const WH = '<uom>72</uom><flowDirection>1</flowDirection><accumulationBehaviour>4</accumulationBehaviour>'
const rowOf = async (type: string, reading = espiReading(START, 974)) =>
  (await open(greenButtonOf(type, reading))).grid[1]

describe('a Green Button file', () => {
  it('becomes a row for each reading, in UTC', async () => {
    const file = await open(
      greenButtonOf(
        WH,
        espiReading(START, 974) +
          espiReading(START + 900, 1_000, '<ReadingQuality><quality>8</quality></ReadingQuality>'),
      ),
    )
    expect(file).toMatchObject({ container: 'greenButton', encoding: 'utf-8', skipped: [] })
    expect(file.grid).toEqual([
      ['From', 'To', 'Meter', 'Value', 'Unit', 'Direction', 'Quality'],
      ['2026-06-01T00:00:00Z', '2026-06-01T00:15:00Z', 'Main meter', 974, 'Wh', 'import', ''],
      ['2026-06-01T00:15:00Z', '2026-06-01T00:30:00Z', 'Main meter', 1_000, 'Wh', 'import', 'E'],
    ])
    expect(file.lineOf).toEqual([1, 8, 9])
  })

  it.each([
    ['0', 974],
    ['3', 974_000],
    ['-3', 0.974],
    ['-1', 97.4],
  ])('scales its values by the power of ten %s', async (power, value) => {
    expect((await rowOf(`${WH}<powerOfTenMultiplier>${power}</powerOfTenMultiplier>`))?.[3]).toBe(value)
  })

  it.each([
    ['38', 'W'],
    ['73', 'varh'],
    ['169', 'therm'],
    ['77', 'ESPI 77'],
  ])('states the unit %s as %s', async (uom, unit) => {
    expect((await rowOf(`<uom>${uom}</uom>`))?.[4]).toBe(unit)
  })

  it.each([
    ['1', 'import'],
    ['19', 'export'],
    ['4', 'net'],
    ['0', ''],
  ])('states the direction %s as %j', async (code, direction) => {
    expect((await rowOf(`<uom>72</uom><flowDirection>${code}</flowDirection>`))?.[5]).toBe(direction)
  })

  it('has readings of a counter without an end', async () => {
    const row = await rowOf('<uom>72</uom><accumulationBehaviour>3</accumulationBehaviour>')
    expect(row?.slice(0, 2)).toEqual(['2026-06-01T00:00:00Z', ''])
  })

  it('takes the length of an interval from the reading type if a reading has none', async () => {
    const reading = `<IntervalReading><timePeriod><start>${START}</start></timePeriod><value>1</value></IntervalReading>`
    const row = await rowOf(`${WH}<intervalLength>3600</intervalLength>`, reading)
    expect(row?.[1]).toBe('2026-06-01T01:00:00Z')
  })

  it('names readings that are no row', async () => {
    const { grid, skipped } = await open(
      greenButtonOf(
        WH,
        espiReading(START, 'x') + espiReading('', 1) + espiReading(-5, 1) + espiReading(START, 1),
      ),
    )
    expect(grid).toHaveLength(2)
    expect(skipped.map(({ reason }) => reason)).toEqual(['notNumber', 'noTime', 'noTime'])
  })

  const types = {
    delivered: '<uom>72</uom><flowDirection>1</flowDirection>',
    fedIn: '<uom>72</uom><flowDirection>19</flowDirection>',
  }
  const meter = (at: number, title: string, type: string) => [
    atomEntry(
      title,
      [
        ['self', `/U/1/MeterReading/${at}`],
        ['up', '/U/1/MeterReading'],
        ['related', `https://example.com/ReadingType/${at}`],
      ],
      '<e:MeterReading xmlns:e="http://naesb.org/espi"/>',
    ),
    atomEntry(
      '',
      [
        ['self', `https://example.com/U/1/MeterReading/${at}/IntervalBlock/1`],
        ['up', `https://example.com/U/1/MeterReading/${at}/IntervalBlock`],
      ],
      `<e:IntervalBlock xmlns:e="http://naesb.org/espi">${espiReading(START, at).replaceAll(/<(\/?)/g, '<$1e:')}</e:IntervalBlock>`,
    ),
    atomEntry(
      '',
      [['self', `https://example.com/ReadingType/${at}`]],
      `<e:ReadingType xmlns:e="http://naesb.org/espi">${type.replaceAll(/<(\/?)/g, '<$1e:')}</e:ReadingType>`,
    ),
  ]

  it('has a meter for each meter reading, by its links, in any order', async () => {
    const place = atomEntry(
      'Roof',
      [
        ['self', '/U/1'],
        ['related', '/U/1/MeterReading'],
      ],
      '<UsagePoint/>',
    )
    const entries = [...meter(1, 'Delivered', types.delivered), ...meter(10, 'Fed in', types.fedIn), place]
    const expected = [
      ['Roof · Delivered', 1, 'Wh', 'import'],
      ['Roof · Fed in', 10, 'Wh', 'export'],
    ]
    for (const order of [entries, entries.toReversed()]) {
      const { grid } = await open(feedOf(...order))
      expect(
        grid
          .slice(1)
          .map((row) => row.slice(2, 6))
          .toSorted((a, b) => Number(a[1]) - Number(b[1])),
      ).toEqual(expected)
    }
    const same = await open(feedOf(...meter(1, 'Power', types.delivered), ...meter(2, 'Power', types.fedIn)))
    expect(same.grid.slice(1).map((row) => row[2])).toEqual(['Power', 'Power 2'])
  })

  it('skips readings whose type is unknown', async () => {
    const [, block = ''] = meter(3, '', types.delivered)
    const { skipped } = await open(
      feedOf(...meter(1, 'A', types.delivered), ...meter(2, 'B', types.fedIn), block),
    )
    expect(skipped.map(({ reason }) => reason)).toEqual(['noReadingType'])
  })
})

describe('an XML file', () => {
  it.each([
    ['of another sort', '<?xml version="1.0"?><rss><channel/></rss>'],
    ['without a declaration', '<Measurements><Value>1</Value></Measurements>'],
    ['with another feed', feedOf(atomEntry('News', [], '<p>text</p>'))],
    [
      'saved by Excel',
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
    ],
    ['of many levels', `<?xml version="1.0"?><feed>${'<a>'.repeat(100)}`],
  ])('%s is rejected', async (_, xml) => {
    await expect(open(xml)).rejects.toMatchObject({ fault: 'unknownXml' })
  })

  it('with entities is rejected before they are expanded', async () => {
    const laughs = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)
    const bomb = `<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY l0 "ha">${laughs.join('')}]><feed><title>&l10;</title></feed>`
    const external = '<?xml version="1.0"?><!DOCTYPE feed SYSTEM "http://127.0.0.1/x.dtd"><feed/>'
    for (const xml of [bomb, external])
      await expect(open(xml)).rejects.toMatchObject({ fault: 'xmlEntities' })
    await expect(open(feedOf('<entry><title>&unknown;</title></entry>'))).rejects.toMatchObject({
      fault: 'notRead',
    })
  })

  it('that is cut off or invalid is rejected', async () => {
    const whole = greenButtonOf(WH, espiReading(START, 974))
    await expect(open(whole.slice(0, -10))).rejects.toMatchObject({ fault: 'notRead' })
    await expect(open(whole.replace('</value>', '</valu>'))).rejects.toMatchObject({ fault: 'notRead' })
    await expect(open(greenButtonOf(WH, `<x>${'y'.repeat(20_000)}</x>`))).rejects.toMatchObject({
      fault: 'tooWide',
    })
    await expect(open(greenButtonOf(WH, ''))).rejects.toMatchObject({ fault: 'empty' })
  })

  it('is a table if it only begins like XML', async () => {
    expect(await open('<DATE>,<VALUE>\n2026-06-01,1\n')).toMatchObject({
      container: 'text',
      grid: { length: 2 },
    })
  })
})
