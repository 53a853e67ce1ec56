import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { colors, type ColorName, type Mode } from '../../../../src/ui/theme/theme.ts'

/** Minimum contrast of text (WCAG 2.2, level AA). Larger text may have less, but nothing here depends on a size. */
const MIN_CONTRAST = 4.5
const MODES = ['light', 'dark'] as const

/** Colours of text, each readable on every ground. */
const TEXTS = ['text', 'muted', 'faint', 'accentText', 'good', 'warning', 'alarm', 'offline'] as const
const GROUNDS = [
  'background',
  'surface',
  'raised',
  'sunken',
  'accentSoft',
  'goodSoft',
  'warningSoft',
  'alarmSoft',
] as const satisfies ColorName[]
/** Grounds of buttons, with the texts that may be on them. */
const BUTTONS = { control: ['text', 'muted', 'accentText'], line: ['text', 'accentText'] } as const
/** Grounds of text in `onAccent`. */
const SOLIDS = ['accent', 'accentHover', 'alarmBadge'] as const satisfies ColorName[]
/** Backgrounds of bars, dots and signs, which contain no text. */
const MARKS = [
  'line',
  'lineStrong',
  'text',
  'muted',
  'good',
  'warning',
  'alarm',
  'on',
  'accent',
  'scrim',
  'paper',
]
/** Signs in a colour that no text has, by file. */
const SIGNS: Record<string, readonly string[]> = {
  'domain/setup/checklist.module.css': ['accent'],
}

type Rgb = readonly [number, number, number]

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

function rgbOf(color: string): Rgb {
  const long = color.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color
  const at = (index: number) => Number.parseInt(long.slice(index, index + 2), 16)
  return [at(1), at(3), at(5)]
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: Rgb, b: Rgb): number {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((one, other) => one - other) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Color over a ground, e.g. 0.06 of black over white. */
const over = (color: Rgb, share: number, ground: Rgb): Rgb =>
  color.map((part, i) => part * share + (ground[i] as number) * (1 - share)) as unknown as Rgb

const named = (mode: Mode, name: ColorName) => rgbOf(colors[mode][name])

describe.each(MODES)('%s', (mode) => {
  it.each(TEXTS)('text in %s is readable on every ground', (text) => {
    const poor = GROUNDS.filter((ground) => contrast(named(mode, text), named(mode, ground)) < MIN_CONTRAST)
    expect(poor).toEqual([])
  })

  it.each(SOLIDS)('text on %s is readable', (solid) => {
    expect(contrast(named(mode, 'onAccent'), named(mode, solid))).toBeGreaterThanOrEqual(MIN_CONTRAST)
  })

  it('a chosen radio button has the text of a link', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
    const { antdTheme } = await import('../../../../src/ui/theme/antd-theme.ts')
    expect(antdTheme(mode, false).components?.Radio?.colorPrimary).toBe(colors[mode].accentText)
  })

  it('text on buttons is readable', () => {
    for (const [ground, texts] of Object.entries(BUTTONS))
      for (const text of texts)
        expect(
          contrast(named(mode, text), named(mode, ground as ColorName)),
          `${text} on ${ground}`,
        ).toBeGreaterThanOrEqual(MIN_CONTRAST)
  })
})

const SRC = join(import.meta.dirname, '../../../../src')
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
const read = (file: string) => readFileSync(join(SRC, file), 'utf8')

/** Style rule with the colours that it sets; undefined where it sets none. */
interface Painted {
  file: string
  selector: string
  text?: string | undefined
  ground?: string | undefined
}

const valueOf = (declarations: string, property: RegExp): string | undefined => {
  const value = declarations
    .split(';')
    .map((one) => one.trim())
    .findLast((one) => property.test(one))
    ?.replace(property, '')
    .replace('!important', '')
    .trim()
  return value === undefined || /^(none|transparent|inherit|currentcolor)$/i.test(value) ? undefined : value
}

const painted: Painted[] = sources
  .filter((file) => file.endsWith('.css'))
  .flatMap((file) =>
    [
      ...read(file)
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .matchAll(/([^{}]+)\{([^{}]*)\}/g),
    ].map(([, selector = '', declarations = '']) => ({
      file,
      selector: selector.trim().replace(/\s+/g, ' '),
      text: valueOf(declarations, /^color:\s*/),
      ground: valueOf(declarations, /^background(-color)?:\s*/),
    })),
  )
  .filter(({ text, ground }) => text ?? ground)

const camel = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
const tokenOf = (value = ''): string | undefined => {
  const name = /^var\(--([a-z-]+)\)$/.exec(value)?.[1]
  return name && camel(name)
}

/** The color of a value in a mode; undefined if it depends on where the rule applies. */
function resolve(value: string, { file }: Painted, mode: Mode): Rgb | undefined {
  if (HEX.test(value)) return rgbOf(value)
  const own = /^var\((--[a-z-]+)\)$/.exec(value)?.[1]
  const local = own && new RegExp(`${own}:\\s*(#[0-9a-f]+)`).exec(read(file))?.[1]
  if (local) return rgbOf(local)
  const name = tokenOf(value)
  if (name && name in colors[mode]) return named(mode, name as ColorName)
  const mix = /^color-mix\(in srgb, (var\(--[a-z-]+\)) (\d+)%, (var\(--[a-z-]+\))\)$/.exec(value)
  const [upper, lower] = [mix?.[1], mix?.[3]].map(
    (one) => one && resolve(one, { file, selector: '' }, mode),
  ) as Rgb[]
  return upper && lower && over(upper, Number(mix?.[2]) / 100, lower)
}

/** Controls that cannot be used are exempt from the minimum. */
const isDisabled = ({ selector }: Painted) => /:disabled|aria-disabled='true'/.test(selector)

describe('style sheets', () => {
  it('declare colours at all', () => {
    expect(painted.length).toBeGreaterThan(300)
  })

  it.each(MODES)('set readable pairs of text and ground in one rule (%s)', (mode) => {
    const poor = painted.flatMap((rule) => {
      if (!rule.text || !rule.ground || isDisabled(rule)) return []
      const [text, ground] = [resolve(rule.text, rule, mode), resolve(rule.ground, rule, mode)]
      if (!text || !ground) return []
      return contrast(text, ground) < MIN_CONTRAST ? [`${rule.file} ${rule.selector}`] : []
    })
    expect(poor).toEqual([])
  })

  it.each(MODES)('mix no ground on which text is unreadable (%s)', (mode) => {
    const mixed = painted.filter(({ ground }) => ground?.startsWith('color-mix'))
    const poor = mixed.flatMap((rule) => {
      const ground = resolve(rule.ground as string, rule, mode)
      return ground && contrast(named(mode, 'text'), ground) < MIN_CONTRAST ? [rule.selector] : []
    })
    expect(poor).toEqual([])
    expect(mixed.length).toBeGreaterThan(4)
  })

  it('write text only in colours that are readable on every ground', () => {
    const known: readonly string[] = TEXTS
    const others = painted.flatMap((rule) => {
      const text = tokenOf(rule.text)
      // With a ground of its own, or a color of its own, see above.
      if (!text || rule.ground || !(text in colors.light) || known.includes(text)) return []
      return SIGNS[rule.file]?.includes(text) ? [] : [`${rule.file} ${rule.selector}: ${text}`]
    })
    expect(others).toEqual([])
  })

  it('use only known grounds', () => {
    const known: readonly string[] = [...GROUNDS, ...SOLIDS, ...MARKS, ...Object.keys(BUTTONS)]
    const others = painted.flatMap((rule) => {
      const ground = tokenOf(rule.ground)
      if (!ground || !(ground in colors.light)) return []
      return known.includes(ground) ? [] : [`${rule.file} ${rule.selector}: ${ground}`]
    })
    expect(others).toEqual([])
  })

  it('leave no color to screens, except named ones', () => {
    const inline = sources
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('ui/theme'))
      .flatMap((file) =>
        [...read(file).matchAll(/\bcolor: ?['"]var\(--([a-z-]+)\)['"]/g)].map(([, name = '']) => camel(name)),
      )
    expect(inline.filter((name) => !(TEXTS as readonly string[]).includes(name))).toEqual([])
  })
})

/** Pairs of Ant Design's tokens: text, and its grounds from the innermost to the outermost. */
const ANT_PAIRS: readonly (readonly [text: string, ...grounds: string[]])[] = [
  ...[
    'colorText',
    'colorTextHeading',
    'colorTextLabel',
    'colorTextDescription',
    'colorTextPlaceholder',
    'colorLink',
    'colorLinkHover',
    'colorErrorText',
  ].flatMap((text) => [
    [text, 'colorBgLayout'] as const,
    [text, 'colorBgContainer'] as const,
    [text, 'colorBgElevated'] as const,
  ]),
  // Rows of lists, menus and tables: under the pointer, selected, and heads of tables.
  ...['colorText', 'colorTextHeading'].flatMap((text) => [
    [text, 'controlItemBgHover', 'colorBgElevated'] as const,
    [text, 'controlItemBgActive', 'colorBgElevated'] as const,
    [text, 'colorFillAlter', 'colorBgContainer'] as const,
    [text, 'colorFillSecondary', 'colorBgContainer'] as const,
  ]),
  // Links are in rows of tables, but in no option of a select.
  ['colorLink', 'controlItemBgHover', 'colorBgElevated'],
  ['colorLink', 'colorFillAlter', 'colorBgContainer'],
  ...['colorInfoBg', 'colorSuccessBg', 'colorWarningBg', 'colorErrorBg'].map(
    (ground) => ['colorText', ground] as const,
  ),
  ...['colorPrimary', 'colorPrimaryHover', 'colorPrimaryActive', 'colorBgSpotlight'].map(
    (ground) => ['colorTextLightSolid', ground] as const,
  ),
]

describe.each(MODES)('Ant Design, %s', (mode) => {
  it.each([false, true])('has readable pairs of tokens (phone: %s)', async (phone) => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
    const [{ theme }, { antdTheme }] = await Promise.all([
      import('antd'),
      import('../../../../src/ui/theme/antd-theme.ts'),
    ])
    vi.unstubAllGlobals()
    const config = antdTheme(mode, phone)
    const tokens = theme.getDesignToken(config) as unknown as Record<string, string>
    const { Button, Segmented, Tabs } = config.components ?? {}
    const flat = (names: readonly string[]): Rgb =>
      names.toReversed().reduce<Rgb>((ground, name) => layer(tokens[name] ?? name, ground), [255, 255, 255])
    const poor = [
      ...ANT_PAIRS,
      [Button?.defaultHoverColor, Button?.defaultHoverBg],
      [Button?.defaultActiveColor, Button?.defaultActiveBg],
      ['colorText', Button?.defaultBg],
      [Button?.dangerColor, 'colorError'],
      ['colorTextLabel', Segmented?.trackBg],
      [Segmented?.itemSelectedColor ?? 'colorText', Segmented?.itemSelectedBg],
      [Tabs?.itemSelectedColor, 'colorBgContainer'],
    ].filter((pair) => {
      const [text = '', ...grounds] = pair as [string, ...string[]]
      const ground = flat(grounds)
      return contrast(layer(tokens[text] ?? text, ground), ground) < MIN_CONTRAST
    })
    expect(poor).toEqual([])
  })
})

/** A color as Ant Design writes it, possibly translucent, over a ground. */
function layer(color: string, ground: Rgb): Rgb {
  if (HEX.test(color)) return rgbOf(color)
  const [r, g, b, share = 1] = /^rgba?\(([^)]+)\)$/.exec(color)?.[1]?.split(',').map(Number) ?? []
  if (r === undefined || g === undefined || b === undefined) throw new Error(`no color: ${color}`)
  return over([r, g, b], share, ground)
}
