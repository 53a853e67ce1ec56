import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { FileRefused } from '../../../../src/lib/spreadsheet/file-fault.ts'
import { bookOf, bytesOf, nemDay, nemFile, nemMeter, open, writeBook, zipOf } from './build-files.ts'

const CSV = '時間;度\n2026-06-01;1,5\n'
const GRID = [
  ['時間', '度'],
  ['2026-06-01', '1,5'],
]
const gzip = (content: Uint8Array | string) => Uint8Array.from(gzipSync(content))

describe('an archive with one file', () => {
  it('is read as that file', async () => {
    expect((await open(gzip(CSV))).grid).toEqual(GRID)
    expect((await open(zipOf({ name: 'data/a.csv', content: CSV }))).grid).toEqual(GRID)
    expect((await open(zipOf({ name: 'a.csv', content: CSV, isStored: true }))).grid).toEqual(GRID)
    expect((await open(zipOf({ name: 'a.csv', content: CSV, isZip64: true }))).grid).toEqual(GRID)
    const nem12 = nemFile(nemMeter('E1', 'kWh', 30), nemDay('20260601', 30))
    expect((await open(zipOf({ name: 'nem12#1.csv', content: nem12 }))).container).toBe('nem12')
    expect((await open(gzip(JSON.stringify([{ a: 1 }])))).container).toBe('json')
  })

  it('may have a workbook in it', async () => {
    const workbook = writeBook(bookOf([['a', 1]]))
    expect(await open(gzip(workbook))).toMatchObject({ container: 'workbook', grid: [['a', 1]] })
    expect(await open(zipOf({ name: 'a.xlsx', content: workbook }))).toMatchObject({ container: 'workbook' })
  })

  it('is opened with the options of the file', async () => {
    expect((await open(gzip(CSV), { delimiter: ',' })).grid[1]).toEqual(['2026-06-01;1', '5'])
  })

  it('may have folders, and files that macOS adds', async () => {
    const files = [
      { name: 'data/', content: '', isStored: true },
      { name: 'data/a.csv', content: CSV },
      { name: '__MACOSX/data/._a.csv', content: 'x' },
      { name: 'data/.DS_Store', content: 'x' },
    ]
    expect((await open(zipOf(...files))).grid).toEqual(GRID)
  })
})

describe('an archive is rejected', () => {
  const faultOf = async (content: Uint8Array<ArrayBuffer>): Promise<unknown> =>
    open(content).then(
      () => undefined,
      ({ fault }: FileRefused) => fault,
    )

  it('with several files, or none', async () => {
    expect(await faultOf(zipOf({ name: 'a.csv', content: CSV }, { name: 'b.csv', content: CSV }))).toBe(
      'severalFiles',
    )
    expect(await faultOf(zipOf())).toBe('empty')
    expect(await faultOf(zipOf({ name: 'a.csv', content: '' }))).toBe('empty')
  })

  it('with another archive in it', async () => {
    expect(await faultOf(gzip(gzip(CSV)))).toBe('nestedArchive')
    expect(await faultOf(gzip(zipOf({ name: 'a.csv', content: CSV })))).toBe('nestedArchive')
    expect(await faultOf(zipOf({ name: 'a.gz', content: gzip(CSV) }))).toBe('nestedArchive')
    expect(await faultOf(zipOf({ name: 'a.zip', content: zipOf({ name: 'a.csv', content: CSV }) }))).toBe(
      'nestedArchive',
    )
  })

  it('with a password', async () => {
    expect(await faultOf(zipOf({ name: 'a.csv', content: CSV, isEncrypted: true }))).toBe('passwordProtected')
  })

  it('if it unpacks to more than a file may have, whatever it states', async () => {
    const zeros = Buffer.alloc(51 * 2 ** 20)
    expect(await faultOf(gzip(zeros))).toBe('bomb')
    expect(await faultOf(zipOf({ name: 'a.csv', content: zeros }))).toBe('bomb')
    expect(await faultOf(zipOf({ name: 'a.csv', content: zeros, size: 100 }))).toBe('bomb')
    expect(await faultOf(zipOf({ name: 'a.csv', content: CSV, size: 10, isStored: true }))).toBe('bomb')
  })

  it('if it is broken', async () => {
    expect(await faultOf(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]))).toBe('notRead')
    expect(await faultOf(zipOf({ name: 'a.csv', content: CSV, size: 10_000 }))).toBe('notRead')
    const broken = gzip(CSV)
    broken[15] = (broken[15] ?? 0) ^ 0xff
    expect(await faultOf(broken)).toBe('notRead')
    expect(
      await faultOf(
        Uint8Array.from(zipOf({ name: 'a.csv', content: CSV }), (byte, at) =>
          at > 40 && at < 50 ? 0xff : byte,
        ),
      ),
    ).toBe('notRead')
  })

  it('with more entries than a workbook has', async () => {
    expect(
      await faultOf(
        zipOf(...Array.from({ length: 2_001 }, (_, i) => ({ name: `${i}`, content: 'x', isStored: true }))),
      ),
    ).toBe('bomb')
  })
})

it('opens a text that begins with PK as text', async () => {
  expect(await open(bytesOf('PK,a\n1,2\n'))).toMatchObject({ container: 'text', grid: { length: 2 } })
})
