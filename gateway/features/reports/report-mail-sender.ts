import { createInstance } from 'i18next'
import type { ReportKind, Report } from '../../../contract/reports/calls.ts'
import type { Sender } from '../../deliveries/worker.ts'
import type { Deps } from '../deps.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { isWithinMailQuota, NO_LIMIT } from '../../lib/mail/quota.ts'
import { documentOf } from '../../../contract/reports/document-of.ts'
import {
  formatCell,
  isFigure,
  type ReportDocument,
  type ReportSection,
  type ReportTable,
  type ReportWords,
} from '../../../contract/reports/document.ts'
import { escapeHtml } from '../../lib/escape-html.ts'
import { plainName } from '../../lib/mail/address.ts'
import type { Mail } from '../../kernel/ports.ts'
import type { Language } from '../../../contract/kernel/scalars.ts'
import enEnergy from '../../../locales/en-US/energy.json'
import enInsight from '../../../locales/en-US/insight.json'
import enReport from '../../../locales/en-US/report.json'
import enTariff from '../../../locales/en-US/tariff.json'
import zhEnergy from '../../../locales/zh-TW/energy.json'
import zhInsight from '../../../locales/zh-TW/insight.json'
import zhReport from '../../../locales/zh-TW/report.json'
import zhTariff from '../../../locales/zh-TW/tariff.json'
import { shownReport } from './get-report.ts'
import { readRecipients, type ReportRecipient } from './recipients.ts'
import type { ReportPorts } from './ports.ts'

const i18n = createInstance()
void i18n.init({
  initAsync: false,
  lng: 'zh-TW',
  fallbackLng: 'zh-TW',
  resources: {
    'zh-TW': { report: zhReport, tariff: zhTariff, energy: zhEnergy, insight: zhInsight },
    'en-US': { report: enReport, tariff: enTariff, energy: enEnergy, insight: enInsight },
  },
  // The HTML is escaped when the email is composed.
  interpolation: { escapeValue: false },
})

/** Texts of emails in a language. */
export function wordsIn(language: Language): ReportWords {
  const t = i18n.getFixedT(language)
  return {
    language,
    text: (key, values) => t(key, { ...values }),
    has: (key) => i18n.exists(key, { lng: language }),
  }
}

/** Maximum size of the tables of an email in bytes: mail programs truncate longer ones. */
const MAX_BYTES = 100_000

/**
 * Composes one email with some reports in the language of its reader: tables that every mail program can display, and a link to the full
 * report.
 *
 * address  public URL of the product; undefined if not configured
 */
function composeReportMail(
  reports: readonly Report[],
  { email, language }: ReportRecipient,
  address: string | undefined,
): Parameters<Mail['send']>[0] {
  const words = wordsIn(language)
  const documents = reports.map((report) => ({
    // Names by users contain nothing that a mail program turns into a link.
    document: documentOf(withPlainNames(report), words),
    path: pathOf(report),
  }))
  const [first] = documents
  const more = documents.length - 1
  const subject = `${first?.document.title ?? ''} ${first?.document.subtitle ?? ''}`
  const reasonText = words.text('report:mail.why')
  const link = (path: string) =>
    address === undefined
      ? words.text('report:mail.find')
      : words.text('report:mail.open', { address: address + path })
  const linked = documents.map(({ document, path }) => ({ document, link: link(path), path }))
  let room = MAX_BYTES
  const parts = linked.map(({ document, link: text, path }) => {
    const html = htmlOf(document, language, room, words.text('report:mail.more'), {
      text,
      href: address === undefined ? null : address + path,
    })
    room -= Buffer.byteLength(html)
    return html
  })
  return {
    to: email,
    subject: (more > 0 ? words.text('report:mail.andMore', { subject, count: more }) : subject).replace(
      /\s+/g,
      ' ',
    ),
    text: [...linked.map(({ document, link: text }) => `${textOf(document)}\n\n${text}`), reasonText].join(
      '\n\n',
    ),
    html: `<div lang="${language}" style="font-family:sans-serif;color:#1f1f1f;max-width:720px">${parts.join('<hr>')}<p style="color:#666">${escapeHtml(reasonText)}</p></div>`,
  }
}

/** Path of a report in the dashboard. */
const pathOf = ({ HomeID, Kind, Period }: Report): string =>
  HomeID === null ? `/CompanyReport/${Kind}/${Period}` : `/report/${HomeID}/${Kind}/${Period}`

function withPlainNames<R extends Report>(report: R): R {
  const sites = report.Sites.map((site) => ({ ...site, HomeName: plainName(site.HomeName) }))
  const named = { ...report, Company: plainName(report.Company), Sites: sites }
  if (named.Kind !== 'monthly' || !named.Detail) return named
  const lines = (of: 'Rooms' | 'Machines') =>
    (named.Detail as NonNullable<typeof named.Detail>)[of].map((line) => ({
      ...line,
      Name: line.Name === null ? null : plainName(line.Name),
    }))
  return { ...named, Detail: { ...named.Detail, Rooms: lines('Rooms'), Machines: lines('Machines') } }
}

const textOf = ({ title, subtitle, summary, facts }: ReportDocument): string =>
  [title, subtitle, '', ...summary, '', ...facts].join('\n')

const paragraphs = (lines: readonly string[]): string =>
  lines.map((line) => `<p style="margin:4px 0">${escapeHtml(line)}</p>`).join('')

/**
 * Renders a report as HTML with the tables that fit; the link to the page is always included.
 *
 * room  bytes that are left
 * more  text to show if a table did not fit
 */
function htmlOf(
  { title, subtitle, summary, facts, sections }: ReportDocument,
  language: Language,
  room: number,
  more: string,
  { text, href }: { text: string; href: string | null },
): string {
  const head = `<h1 style="font-size:20px">${escapeHtml(title)}</h1>${paragraphs([subtitle, ...summary])}`
  const open = href === null ? escapeHtml(text) : `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`
  const footHtml = `<p>${open}</p><div style="color:#666">${paragraphs(facts)}</div>`
  let remainingBytes = room - Buffer.byteLength(head + footHtml + more) - 100
  const drawn: string[] = []
  const includedSections = sections.filter(
    ({ isDetail, table, notes }) => !isDetail && (table || notes.length),
  )
  for (const section of includedSections) {
    const html = sectionHtml(section, language)
    remainingBytes -= Buffer.byteLength(html)
    if (remainingBytes < 0) break
    drawn.push(html)
  }
  const truncationNote = drawn.length < includedSections.length ? paragraphs([more]) : ''
  return head + drawn.join('') + truncationNote + footHtml
}

const sectionHtml = ({ title, table, notes }: ReportSection, language: Language): string =>
  `<h2 style="font-size:16px;margin:16px 0 4px">${escapeHtml(title)}</h2>${table ? tableHtml(table, language) : ''}<div style="color:#666">${paragraphs(notes)}</div>`

const CELL = 'padding:3px 8px;border-bottom:1px solid #ccc'

function tableHtml({ columns, rows, foot }: ReportTable, language: Language): string {
  const align = (i: number) => `text-align:${isFigure(columns[i] ?? { title: '' }) ? 'right' : 'left'}`
  const row = (cells: ReportTable['rows'][number], tag: 'td' | 'th') =>
    `<tr>${cells
      .map(
        (cell, i) =>
          `<${tag} style="${CELL};${align(i)}">${escapeHtml(formatCell(cell, columns[i] ?? { title: '' }, language))}</${tag}>`,
      )
      .join('')}</tr>`
  const head = row(
    columns.map(({ title }) => title),
    'th',
  )
  return `<table style="border-collapse:collapse">${head}${rows.map((cells) => row(cells, 'td')).join('')}${foot ? row(foot, 'th') : ''}</table>`
}

/** Kind of the deliveries; their topic is the plan. */
export const REPORT_MAIL = 'report'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export type ReportMailDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'mail' | 'config' | 'events'>

/** Payload of a delivery; the report is computed when it is sent. */
export interface ReportMailPayload {
  /** Id of a plan, or a unique one if a person sends the report by hand. */
  planId: string
  period: string
  cognitoId: string
  /** Name of the person, as shown in the list of plans. */
  name: string
  kind: ReportKind
  /** Empty for all homes together. */
  homes: readonly string[]
}

/** Sends emails with reports, one at a time; failed ones are given up after a week. Results are kept for the list of plans. */
export const createReportMailSender = (
  deps: ReportMailDeps,
  ports: ReportPorts,
): Sender<ReportMailPayload> => ({
  kind: REPORT_MAIL,
  // The lease is longer than computing the report and a slow mail server may take.
  policy: {
    leaseMs: 10 * MINUTE,
    firstDelayMs: 2 * MINUTE,
    maxDelayMs: HOUR,
    giveUpAfterMs: 7 * DAY,
  },
  concurrency: { total: 1, perLane: 1 },
  retainsSettled: true,
  async send({ tenant, payload }) {
    const { db, clock, mail, config } = deps
    const [person] = await readRecipients(db, tenant, [payload.cognitoId])
    const reports = person?.reason === null ? await reportsOf(deps, ports, { tenant, payload, person }) : []
    // The person has lost the right, or all the homes were deleted.
    if (!person || person.reason !== null || reports.length === 0)
      return { status: 'skipped', reason: person?.reason ?? 'gone' }
    // People of the company are exempt from the limit per address.
    const quota = { ...config.mailQuota, recipient: NO_LIMIT }
    if (!(await isWithinMailQuota(db, { tenant, to: person.email, now: clock.now(), quota })))
      return { status: 'overQuota' }
    await mail.send({
      ...composeReportMail(reports, person, config.publicUrl),
      id: `report-${payload.planId}-${payload.period}-${payload.cognitoId}`,
    })
    return { status: 'sent' }
  },
  onSettled({ tenant, payload: { planId } }) {
    const record = { ReportPlanID: planId }
    deps.events.emit('dataChange', { tenant, name: 'reportPlan.update', record, by: null })
  },
  logFields: ({ payload: { planId } }) => ({ plan: planId }),
})

/** Computes the reports of an email in the person's language; those of deleted homes are left out. */
async function reportsOf(
  { db, clock }: ReportMailDeps,
  ports: ReportPorts,
  {
    tenant,
    payload: { homes, kind, period },
    person: { language },
  }: { tenant: string; payload: ReportMailPayload; person: ReportRecipient },
) {
  const found = []
  for (const HomeID of homes.length ? homes : [null])
    try {
      found.push(
        await shownReport(ports, {
          db,
          tenant,
          HomeID,
          Kind: kind,
          Period: period,
          Language: language,
          now: clock.now(),
        }),
      )
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'NOT_FOUND') throw error
    }
  return found
}
