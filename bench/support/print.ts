import { type Figure, isMet, ratioOf } from './measurement.ts'

const number = (value: number): string =>
  Number.isNaN(value)
    ? '?'
    : value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })

const withUnit = (value: number, unit: string): string => (unit ? `${number(value)} ${unit}` : number(value))

function barOf({ bar, unit }: Figure): string {
  if (!bar) return ''
  const write = (limit: number) => (bar.of === 'ratio' ? `${number(limit)} x` : withUnit(limit, unit))
  return [
    bar.max !== undefined && `at most ${write(bar.max)}`,
    bar.min !== undefined && `at least ${write(bar.min)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

const verdict = (figure: Figure): string =>
  ({ true: 'met', false: 'MISSED', undefined: '' })[`${isMet(figure)}`]

function cells(figure: Figure): string[] {
  const { what, value, unit, reference, note = '' } = figure
  const ratio = ratioOf(figure)
  return [
    what,
    withUnit(value, unit),
    reference ? `${reference.what}: ${withUnit(reference.value, unit)}` : '',
    ratio === undefined ? '' : `${ratio.toFixed(2)} x`,
    barOf(figure),
    verdict(figure),
    note,
  ]
}

/** A figure for the console. */
export function lines(figure: Figure): string[] {
  const [what = '', value = '', reference = '', ratio = '', bar = '', met = '', note = ''] = cells(figure)
  return [
    `  ${what.padEnd(60)} ${value.padStart(10)}  ${[reference, ratio, bar && `[${bar}]`, met].filter(Boolean).join('  ')}`,
    ...(note ? [`    ${note}`] : []),
  ]
}

/** Figures as a Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const head = ['what', 'figure', 'reference, same run', 'ratio', 'bar', '', 'seen']
  return [head, head.map(() => '---'), ...figures.map(cells)]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}
