import { formatSpan } from '../../../contract/time/format-time.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { encode } from 'uqr'
import { type Pass, readPass, writePass, visitState } from '../../../contract/access-control/access-pass.ts'
import { Visitor } from '../../../contract/access-control/visitor.ts'
import { enqueue } from '../../deliveries/store.ts'
import type { Sender } from '../../deliveries/worker.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Clock, Log, Mail } from '../../kernel/ports.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { plainName } from '../../lib/mail/address.ts'
import { escapeHtml } from '../../lib/escape-html.ts'

/** 128 bits: infeasible to guess, and short enough for a QR code. */
const SIGNATURE_BYTES = 16

/** Signs passes and verifies signatures. Passes are not stored. */
export function createPasses(key: Uint8Array) {
  // The company is part of the signed text, so a pass is valid only in its company.
  const sign = (tenant: string, body: string) =>
    createHmac('sha256', key).update(`${tenant}\n${body}`).digest().subarray(0, SIGNATURE_BYTES)
  return {
    write(tenant: string, pass: Pass): string {
      const body = writePass(pass)
      return `${body}.${sign(tenant, body).toString('base64url')}`
    },

    /** Pass in a scanned text; undefined unless it was signed for this company. */
    read(tenant: string, text: string): Pass | undefined {
      const separator = text.lastIndexOf('.')
      const body = text.slice(0, Math.max(0, separator))
      const actual = Buffer.from(text.slice(separator + 1), 'base64url')
      const expected = sign(tenant, body)
      return actual.length === expected.length && timingSafeEqual(actual, expected)
        ? readPass(body)
        : undefined
    },
  }
}

export type Passes = ReturnType<typeof createPasses>

/**
 * QR code of a text (ISO/IEC 18004, error correction level M) as rows of modules; true is dark. Without the quiet zone.
 *
 * errors  RangeError for more than a code can contain, 2,331 bytes
 */
export const qrCode = (text: string): boolean[][] =>
  encode(text, { ecc: 'M', boostEcc: false, border: 0 }).data

interface PassMailContent {
  to: string
  name: string
  company: string
  host: string | null
  from: number
  until: number
  timeZone: string
  token: string
}

/**
 * Email with a visitor's pass, in both languages, as a visitor's language is unknown. The code is drawn as a table, which every mail
 * client displays without loading anything.
 */
export function composePassMail({ to, name, company, host, from, until, timeZone, token }: PassMailContent) {
  const formatVisit = (language: string) => formatSpan(from, until, language, timeZone)
  const lines = [
    `${plainName(name)} 您好：`,
    `歡迎蒞臨${company ? ` ${plainName(company)}` : ''}。到訪期間：${formatVisit('zh-TW')}${host ? `；受訪者：${plainName(host)}` : ''}。`,
    '請於門口掃描器出示下方 QR Code。此通行證僅限您本人於到訪期間使用。',
    '',
    `Dear ${plainName(name)},`,
    `Welcome${company ? ` to ${plainName(company)}` : ''}. Your visit: ${formatVisit('en-US')}${host ? `; host: ${plainName(host)}` : ''}.`,
    'Show the QR code below at the scanner at the door. The pass is for your use only and valid for the time of your visit.',
  ]
  const text = [...lines, '', token].join('\n')
  const html = `<div lang="zh-TW">${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}${table(token)}<p><small>${escapeHtml(token)}</small></p></div>`
  return { to, subject: '訪客通行證 / Visitor pass', text, html }
}

const CELL = 6

/** HTML table of the code with its quiet zone; adjacent modules of the same colour form one cell. */
function table(token: string): string {
  const code = qrCode(token)
  const rows = code.map((row) => {
    const cells: string[] = []
    for (let at = 0; at < row.length;) {
      let end = at + 1
      while (end < row.length && row[end] === row[at]) end++
      cells.push(
        `<td colspan="${end - at}" width="${(end - at) * CELL}" height="${CELL}" bgcolor="${row[at] ? '#000000' : '#ffffff'}"></td>`,
      )
      at = end
    }
    return `<tr>${cells.join('')}</tr>`
  })
  const first = `<tr>${code.map(() => `<td width="${CELL}" height="0"></td>`).join('')}</tr>`
  return `<div style="background:#ffffff;padding:${4 * CELL}px;display:inline-block"><table cellspacing="0" cellpadding="0" border="0" style="border-collapse:collapse;line-height:0;font-size:0">${first}${rows.join('')}</table></div>`
}

const KIND = 'visitor-pass'
const MINUTE = 60_000

interface PassMailPayload {
  VisitorID: string
}

/** Enqueues the email of a visitor's pass. It contains the visit as of the time at which it is sent, and is not sent after the visit. */
export const enqueuePassMail = (
  tx: Db,
  tenant: string,
  { VisitorID, Email, ValidUntil }: Pick<Visitor, 'VisitorID' | 'Email' | 'ValidUntil'>,
  now: number,
): Promise<void> =>
  enqueue(
    tx,
    [
      {
        tenant,
        kind: KIND,
        recipient: Email,
        lane: KIND,
        payload: { VisitorID },
        dueAt: now,
        expiresAt: ValidUntil,
      },
    ],
    now,
  )

interface PassMailDeps {
  db: Db
  mail: Mail
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
  passes: Pick<Passes, 'write'>
}

/** Email with the pass of a visitor. Errors: NOT_FOUND; CONFLICT if the visit is over. */
async function passMailOf({ db, clock, passes }: PassMailDeps, tenant: string, VisitorID: string) {
  const [visitor] = await db.query<
    Visitor & { HostName: string | null; company: string; zone: string | null }
  >(sql`
    select ${columnsOf(Visitor, 'v')}, e.employee_name as "HostName", c.company_name as company,
      (select time_zone from homes h where h.tenant = v.tenant order by created_at limit 1) as zone
    from visitors v join companies c on c.tenant = v.tenant
      left join employees e on e.tenant = v.tenant and e.employee_id = v.host_employee_id
    where v.tenant = ${tenant} and visitor_id = ${VisitorID}`)
  if (!visitor) throw new GatewayError('NOT_FOUND', `Visitor ${VisitorID} does not exist`)
  if (!['expected', 'inside'].includes(visitState(visitor, clock.now())))
    throw new GatewayError('CONFLICT', 'This visit is over')
  const { ValidFrom: from, ValidUntil: until } = visitor
  return composePassMail({
    to: visitor.Email,
    name: visitor.VisitorName,
    company: visitor.company,
    host: visitor.HostName,
    from,
    until,
    timeZone: visitor.zone ?? 'Asia/Taipei',
    token: passes.write(tenant, { kind: 'visitor', id: VisitorID, from, until }),
  })
}

/**
 * Emails a visitor their pass at once, because the caller waits for the result. Errors: NOT_FOUND; CONFLICT if the visit is over;
 * UNAVAILABLE if the mail server does not accept it.
 */
export async function sendPass(deps: PassMailDeps, tenant: string, VisitorID: string): Promise<void> {
  const composed = await passMailOf(deps, tenant, VisitorID)
  try {
    await deps.mail.send(composed)
  } catch (err) {
    deps.log.warn({ err: { code: (err as { code?: string }).code }, VisitorID }, 'pass not sent')
    throw new GatewayError('UNAVAILABLE', 'The mail server did not take the pass')
  }
}

/** Sends enqueued passes; failed ones are given up after a day, or when the visit is over. */
export const createPassMailSender = (deps: PassMailDeps): Sender<PassMailPayload> => ({
  kind: KIND,
  policy: {
    leaseMs: 5 * MINUTE,
    firstDelayMs: MINUTE,
    maxDelayMs: 64 * MINUTE,
    giveUpAfterMs: 24 * 60 * MINUTE,
  },
  concurrency: { total: 2, perLane: 2 },
  logFields: ({ payload: { VisitorID } }) => ({ VisitorID }),
  async send({ id, tenant, recipient, payload: { VisitorID } }) {
    let composed
    try {
      composed = await passMailOf(deps, tenant, VisitorID)
    } catch (error) {
      if (error instanceof GatewayError) return { status: 'skipped' }
      throw error
    }
    // A changed address has a delivery of its own.
    if (composed.to !== recipient) return { status: 'skipped' }
    await deps.mail.send({ ...composed, id })
    return { status: 'sent' }
  },
})
