import { describe, expect, it } from 'vitest'
import { composePassMail, qrCode } from '../../../../gateway/features/access/passes.ts'

const draw = (text: string) =>
  qrCode(text)
    .map((row) => row.map((dark) => (dark ? '#' : '.')).join(''))
    .join('\n')

describe('A QR code', () => {
  it('matches the standard (level M; compared with Nayuki’s generator)', () => {
    expect(draw('hello')).toBe(HELLO)
  })

  it.each([
    [14, 21],
    [15, 25],
    [106, 41],
    [107, 45],
    [180, 53],
    [213, 57],
    [214, 61],
    [2331, 177],
  ])('of %i bytes has %i modules per side', (bytes, side) => {
    expect(qrCode('x'.repeat(bytes))).toHaveLength(side)
  })

  it('rejects content beyond its capacity', () => {
    expect(() => qrCode('x'.repeat(2332))).toThrow(RangeError)
  })
})

it('is included in the email with the details of the visit, and names are escaped', () => {
  const { text, html } = composePassMail({
    to: 'v@example.com',
    name: '<b>王</b>',
    company: '示範 & 公司',
    host: null,
    from: Date.UTC(2026, 2, 5, 1),
    until: Date.UTC(2026, 2, 5, 9),
    timeZone: 'Asia/Taipei',
    token: 'V.x.1.2.y',
  })
  expect(text).toContain('V.x.1.2.y')
  expect(text).toMatch(/2026\/3\/5.*9:00/)
  expect(html).not.toContain('<b>')
  expect(html).toContain('示範 &#38; 公司')
  expect(html).toContain('bgcolor="#000000"')
})

const HELLO = `#######..##...#######
#.....#.##....#.....#
#.###.#..#.##.#.###.#
#.###.#...##..#.###.#
#.###.#.##..#.#.###.#
#.....#.....#.#.....#
#######.#.#.#.#######
..........###........
#.#.#.#..#.#....#..#.
..#.##....#...#....##
.#.#..#.###.#...#####
##..#.........#....#.
.##.#.##..#.#.#.#....
........####.#.#..###
#######...##.###..###
#.....#...####.##....
#.###.#.#.##.###...##
#.###.#..#....##..##.
#.###.#.###.#...#.#.#
#.....#..#....#.#..#.
#######.###.#.##...##`
