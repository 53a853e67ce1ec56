import { formatComplete, formatFigure, formatShare, moneyText } from '../kernel/numbers.ts'
import type { RankedLine, SiteDetail } from './calls.ts'
import { knownIntervals } from '../energy/coverage.ts'
import { type Cell, type ReportSection, type ReportWords, formatComputed, formatPrices } from './document.ts'
import { formatPeriod, formatWhen } from '../time/format-time.ts'

/** Sections of a report of one site, in addition to its figures. */
export function detailSections(detail: SiteDetail, words: ReportWords, zone: string): ReportSection[] {
  return [
    days(detail, words),
    demand(detail, words, zone),
    bill(detail, words),
    ranking('rooms', detail.Rooms, words),
    ranking('machines', detail.Machines, words),
    ...balance(detail, words),
    quality(detail, words),
  ].filter((section) => section !== null)
}

function days({ Days }: SiteDetail, words: ReportWords): ReportSection {
  return {
    key: 'days',
    title: words.text('report:sections.days'),
    chart: {
      title: words.text('report:chart'),
      unit: words.text('report:columns.kwh'),
      bars: Days.map(({ Date, kWh, Before }) => ({
        label: String(Number(Date.slice(8))),
        value: kWh,
        before: Before,
      })),
    },
    notes: [],
  }
}

export function dayTable({ Days }: SiteDetail, words: ReportWords): ReportSection {
  return {
    key: 'dayTable',
    title: words.text('report:sections.dayTable'),
    isDetail: true,
    table: {
      columns: [
        { title: words.text('report:columns.date'), style: 'date' },
        { title: words.text('report:columns.nowKwh'), style: 'figure' },
        { title: words.text('report:columns.beforeKwh'), style: 'figure' },
      ],
      rows: Days.map(({ Date, kWh, Before }) => [Date, kWh, Before]),
    },
    notes: [words.text('report:notes.days')],
  }
}

function demand({ Demand }: SiteDetail, words: ReportWords, zone: string): ReportSection | null {
  if (!Demand) return null
  const { PeakKw, At, Limit, IsAtLeast } = Demand
  return {
    key: 'demand',
    title: words.text('report:sections.demand'),
    table: {
      columns: [
        { title: words.text('report:columns.peak'), style: 'power' },
        { title: words.text('report:columns.at'), isFigure: true },
        { title: words.text('report:columns.limit'), style: 'limit' },
        { title: words.text('report:columns.over'), style: 'power' },
      ],
      rows: [
        [
          PeakKw,
          formatWhen(At, words.language, zone),
          Limit,
          Limit === null ? null : Math.max(0, PeakKw - Limit),
        ],
      ],
    },
    notes: [
      ...(IsAtLeast ? [words.text('report:notes.atLeast')] : []),
      ...(Limit === null ? [words.text('report:notes.noContract')] : []),
    ],
  }
}

type Bill = SiteDetail['Bill']

/** Charges that apply once, regardless of the season in which the bill ends. */
const WHOLE_BILL: ReadonlySet<Bill['Lines'][number]['Item']> = new Set([
  'basic',
  'powerFactor',
  'minimum',
  'feedIn',
])

/** Label of a bill line, with its detail, and its season if the bill has several. */
function lineName(
  { Item, Detail, Season }: Bill['Lines'][number],
  words: ReportWords,
  isDivided: boolean,
): string {
  const detail =
    Item === 'energy' || Item === 'overCapacity'
      ? words.text(`tariff:bands.${Detail}`)
      : Item === 'capacity'
        ? words.text(`tariff:capacities.${Detail}`)
        : Item === 'tier' || Item === 'surcharge'
          ? words.text('tariff:bill.from', { kwh: Detail })
          : Item === 'powerFactor'
            ? `${Detail}%`
            : ''
  const name = `${words.text(`tariff:items.${Item}`)} ${detail}`.trimEnd()
  return isDivided && Season !== null && !WHOLE_BILL.has(Item)
    ? words.text('report:lines.ofSeason', { name, season: words.text(`tariff:seasons.${Season}`) })
    : name
}

function bill({ Bill }: SiteDetail, words: ReportWords): ReportSection {
  const { From, Through, Lines, Total, Known, DaysWithoutTariff, IsOver, Sold, PeakDays, ComputedPercent } =
    Bill
  const seasons = new Set(Lines.flatMap(({ Season }) => Season ?? []))
  return {
    key: 'bill',
    title: words.text('report:sections.bill'),
    table: {
      columns: [
        { title: words.text('report:columns.item') },
        { title: words.text('report:columns.quantity'), style: 2 },
        { title: words.text('report:columns.unit') },
        { title: words.text('report:columns.price'), style: 2 },
        { title: words.text('report:columns.factor'), style: 3 },
        { title: words.text('report:columns.amount'), style: 2 },
      ],
      rows: Lines.map((line): Cell[] => [
        lineName(line, words, seasons.size > 1),
        line.Quantity,
        words.text(`tariff:units.${line.Unit}`),
        line.Price,
        line.Factor,
        line.Amount,
      ]),
      foot: [words.text('report:total'), '', '', '', '', PeakDays ? null : Total],
    },
    notes: [
      words.text(IsOver ? 'report:notes.bill' : 'report:notes.billRuns', {
        days: formatPeriod(From, Through, words.language),
        known: formatComplete(Known),
      }),
      ...(PeakDays
        ? [
            words.text('report:notes.peakDays', {
              year: PeakDays.Year,
              known: PeakDays.Known,
              needed: PeakDays.Needed,
            }),
          ]
        : []),
      ...formatComputed(ComputedPercent, words),
      ...formatPrices(Bill.Prices, words),
      ...(DaysWithoutTariff > 0 ? [words.text('report:notes.noTariff', { count: DaysWithoutTariff })] : []),
      ...(Sold
        ? [
            words.text('report:notes.sold', {
              kwh: formatFigure(Sold.kWh),
              income: moneyText(Sold.Income),
            }),
          ]
        : []),
    ],
  }
}

function ranking(
  key: 'rooms' | 'machines',
  lines: readonly RankedLine[],
  words: ReportWords,
): ReportSection | null {
  if (lines.length === 0) return null
  const nameOf = ({ Key, Name }: RankedLine) =>
    Key === 'untracked' || Key === 'rest'
      ? words.text(`report:lines.${Key}`)
      : (Name ?? words.text('report:lines.gone', { id: Key }))
  return {
    key,
    title: words.text(`report:sections.${key}`),
    table: {
      columns: [
        { title: words.text(`report:columns.${key}`) },
        { title: words.text('report:columns.kwh'), style: 'figure' },
        { title: words.text('report:columns.share'), isFigure: true },
        { title: words.text('report:columns.ntd'), style: 0 },
        { title: words.text('report:columns.complete'), isFigure: true },
      ],
      rows: lines.map((line) => [
        nameOf(line),
        line.kWh,
        line.Share === null ? null : formatShare(line.Share),
        line.Cost,
        formatComplete(line.Complete),
      ]),
    },
    notes: [],
  }
}

function balance({ Balance }: SiteDetail, words: ReportWords): ReportSection[] {
  if (!Balance) return []
  const terms = ['Consumption', 'Import', 'Generation', 'Discharge', 'Export', 'Charge'] as const
  return [
    {
      key: 'balance',
      title: words.text('report:sections.balance'),
      table: {
        columns: [
          { title: words.text('report:columns.item') },
          { title: words.text('report:columns.kwh'), style: 'figure' },
        ],
        rows: terms.map((term) => [words.text(`report:balance.${term}`), Balance[term]]),
      },
      notes: [
        ...(Balance.SelfConsumption === null
          ? []
          : [words.text('report:notes.selfConsumption', { share: formatShare(Balance.SelfConsumption) })]),
        ...(Balance.SelfSufficiency === null
          ? []
          : [
              words.text('report:notes.selfSufficiency', {
                share: formatShare(Balance.SelfSufficiency),
                used: formatFigure(Balance.Consumption ?? 0),
                bought: formatFigure((Balance.Consumption ?? 0) * (1 - Balance.SelfSufficiency)),
              }),
            ]),
      ],
    },
  ]
}

function quality({ Coverage, Resets }: SiteDetail, words: ReportWords): ReportSection {
  const due = knownIntervals(Coverage) + Coverage.Missing
  const parts = ['Measured', 'Between', 'Corrected', 'Estimated', 'Missing'] as const
  return {
    key: 'quality',
    title: words.text('report:sections.quality'),
    table: {
      columns: [
        { title: words.text('report:columns.item') },
        { title: words.text('report:columns.intervals'), style: 0 },
        { title: words.text('report:columns.share'), isFigure: true },
      ],
      rows: parts.map((part) => [
        words.text(`report:quality.${part}`),
        Coverage[part],
        due === 0 ? null : formatShare(Coverage[part] / due),
      ]),
    },
    notes: [
      ...(Coverage.Withheld > 0
        ? [words.text('report:notes.quarantined', { count: Coverage.Withheld })]
        : []),
      ...(Resets > 0 ? [words.text('report:notes.resets', { count: Resets })] : []),
    ],
  }
}
