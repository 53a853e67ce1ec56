import { describe, expect, it } from 'vitest'
import type { ComparedFigure, MonthlyReport } from '../../../contract/reports/calls.ts'
import { monthlyDocument } from '../../../contract/reports/monthly-document.ts'
import { wordsIn } from '../../../gateway/features/reports/report-mail-sender.ts'

const figure = (Now: number): ComparedFigure => ({ Now, Before: null, Change: null, Said: 'none' })
const FACTOR = 0.5

/** Month of a company without sites in the list, with a consumption of 1,000 kWh. */
function report(kg: number, more: Partial<MonthlyReport> = {}): MonthlyReport {
  return {
    ...{ Kind: 'monthly', Period: '2026-06', Language: 'en-US', HomeID: null, Company: 'A' },
    ...{ AsOf: 0, From: '2026-06-01', Through: '2026-06-30', IsOver: true },
    Total: {
      ...{ kWh: figure(1_000), Cost: figure(5_000), CarbonKg: figure(kg) },
      ...{ Complete: 1, CompleteBefore: 0 },
    },
    ...{ Sites: [], Detail: null, Alarms: { Raised: 0, Critical: 0, Open: 0 }, Findings: [] },
    Carbon: [{ Year: 2026, Factor: FACTOR, Source: 'own', Of: null }],
    ...more,
  }
}
const documentOf = (kg: number, more?: Partial<MonthlyReport>) =>
  monthlyDocument(report(kg, more), wordsIn('en-US'))
const notesOf = (kg: number, more?: Partial<MonthlyReport>) =>
  documentOf(kg, more)
    .sections.find(({ key }) => key === 'figures')
    ?.notes.join(' ')

describe('the explanation of emissions that differ from energy times factor', () => {
  it('is omitted if they are equal', () => {
    expect(notesOf(1_000 * FACTOR)).not.toContain('Emissions are')
  })

  it('names generation and storage only if they contributed', () => {
    const notes = notesOf(800 * FACTOR, { OwnEnergy: { Used: 200, Stored: 0 } })
    expect(notes).toContain('200 kWh came from generation or storage on site')
    expect(notes).not.toContain('no data')
  })

  it('names hours without data if no generation explains it', () => {
    const notes = notesOf(800 * FACTOR)
    expect(notes).toContain('200 kWh are from hours in which a meter of the balance has no data')
    expect(notes).not.toContain('generation')
  })

  it('names energy bought for storage', () => {
    const notes = notesOf(1_100 * FACTOR, { OwnEnergy: { Used: 0, Stored: 100 } })
    expect(notes).toContain('100 kWh of the purchased electricity were stored or sold')
    expect(notes).not.toContain('no data')
  })
})

describe('the age of prices and factors', () => {
  const Prices = { CheckedOn: '2026-03-01', ReviewOn: '2026-04-01', MayHaveChanged: true }

  it('is printed on each page, with the council date since which prices may have changed', () => {
    const facts = documentOf(500, { Prices, MissingFactor: 2025 }).facts.join(' ')
    expect(facts).toContain('last checked on Mar 1, 2026')
    expect(facts).toContain('may have changed on Apr 1, 2026')
    expect(facts).toContain('The carbon emission factor of 2025')
  })

  it('is omitted without a finding', () => {
    const facts = documentOf(500).facts.join(' ')
    expect(facts).not.toContain('checked')
    expect(facts).not.toContain('carbon factor of')
  })
})

it('says first that a month is still being computed', () => {
  const { summary, facts } = documentOf(500, { ComputedPercent: 40 })
  expect(summary[0]).toContain('Computing (40%)')
  expect(facts.join(' ')).toContain('Computing (40%)')
})

describe('findings', () => {
  it('are listed with the day on which they were open', () => {
    const Findings = [{ FindingID: 'f', HomeID: 'h', Kind: 'contract' as const, Place: null, Amount: 18_360 }]
    const AsOf = Date.parse('2026-11-30T02:00:00Z')
    const section = documentOf(500, { Findings, AsOf }).sections.find(({ key }) => key === 'findings')
    expect(section?.notes.join(' ')).toContain('still open on Nov 30, 2026')
  })
})
