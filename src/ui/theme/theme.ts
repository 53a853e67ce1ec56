/** The only place of colours. All other files use names: Ant Design tokens, and `var(--name)` in style sheets. */

export type Mode = 'light' | 'dark'

const light = {
  background: '#f4f6f7',
  surface: '#ffffff',
  raised: '#ffffff',
  /** Plans are drawn for white paper. */
  paper: '#ffffff',
  sunken: '#eceff1',
  line: '#dbe1e4',
  lineStrong: '#838f96',
  /** Background of a button, which has no border. */
  control: '#e6ebed',
  text: '#16212a',
  muted: '#55646e',
  faint: '#5f6e78',
  accent: '#0b7a75',
  accentHover: '#08635f',
  accentSoft: '#e1f2f0',
  accentText: '#086560',
  onAccent: '#ffffff',
  on: '#0b7a75',
  good: '#197b41',
  goodSoft: '#e3f4e9',
  warning: '#95590a',
  warningSoft: '#fdf1dc',
  alarm: '#c0282d',
  alarmSoft: '#fdeaea',
  /** Behind white digits, in both modes. */
  alarmBadge: '#c0282d',
  offline: '#5f6e78',
  shadow: 'rgba(16, 30, 40, 0.12)',
  scrim: 'rgba(16, 30, 40, 0.4)',
}

export type ColorName = keyof typeof light

const dark: Record<ColorName, string> = {
  background: '#0f1518',
  surface: '#171f23',
  raised: '#1e282d',
  paper: '#ffffff',
  sunken: '#11191c',
  line: '#2c383e',
  lineStrong: '#7b8b93',
  control: '#2a363c',
  text: '#e6edf0',
  muted: '#a3b1b9',
  faint: '#93a2aa',
  accent: '#0b7a75',
  accentHover: '#0a847e',
  accentSoft: '#12332f',
  accentText: '#5fd3c8',
  onAccent: '#ffffff',
  on: '#5fd3c8',
  good: '#63cf8b',
  goodSoft: '#143021',
  warning: '#efb45b',
  warningSoft: '#3a2b12',
  alarm: '#ff8a86',
  alarmSoft: '#421d1e',
  alarmBadge: '#c0282d',
  offline: '#93a2aa',
  shadow: 'rgba(0, 0, 0, 0.5)',
  scrim: 'rgba(0, 0, 0, 0.6)',
}

export const colors: Record<Mode, Record<ColorName, string>> = { light, dark }

/** Colours of series in order: distinguishable with common colour vision deficiencies (Okabe and Ito). */
export const series: Record<Mode, readonly string[]> = {
  light: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#8a6d00', '#56b4e9', '#6a3d9a', '#555555'],
  dark: ['#56b4e9', '#f0883e', '#2fc79a', '#e29cc3', '#f0e442', '#88ccee', '#b39ddb', '#bbbbbb'],
}

/** Darker variants, paler in dark mode, for further series: always used with a texture, which distinguishes them on its own. */
export const extraSeries: typeof series = {
  light: ['#00406b', '#8f3b00', '#00604a', '#97406f', '#5a4700', '#2f7fb5', '#3f1f6b', '#2b2b2b'],
  dark: ['#b5dcf7', '#ffc48c', '#9be8cf', '#f7cfe3', '#fff6b0', '#d3ecff', '#ddd0f2', '#ececec'],
}

/** Radii of controls, cards and dialogs, and heights of controls, px. */
export const shape = { radius: 6, card: 10, dialog: 14, control: 36, controlPhone: 44 } as const

/** Font size and line height, px. */
export const type = {
  note: [12, 16],
  table: [13, 20],
  text: [14, 22],
  card: [16, 24],
  page: [20, 28],
  figure: [28, 32],
  hero: [40, 44],
} as const

export const fontFamily =
  "system-ui, -apple-system, 'Segoe UI', 'Noto Sans TC', 'Noto Sans CJK TC', 'PingFang TC', 'Microsoft JhengHei', sans-serif"

/** Sets a mode's colours on the page as custom properties, e.g. `var(--accent)`, `var(--line-strong)`. */
export function paint(mode: Mode, root: HTMLElement = document.documentElement): void {
  root.dataset['theme'] = mode
  root.style.colorScheme = mode
  for (const [name, value] of Object.entries(colors[mode]))
    root.style.setProperty(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, value)
  for (const [name, [size, line]] of Object.entries(type)) {
    root.style.setProperty(`--type-${name}`, `${size}px`)
    root.style.setProperty(`--line-${name}`, `${line}px`)
  }
  for (const name of ['radius', 'card', 'dialog'] as const)
    root.style.setProperty(`--${name === 'radius' ? 'radius' : `radius-${name}`}`, `${shape[name]}px`)
  for (const [i, value] of series[mode].entries()) root.style.setProperty(`--series-${i + 1}`, value)
}
