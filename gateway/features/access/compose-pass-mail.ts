import { plainName } from '../../lib/mail/plain-name.ts'
import { escapeHtml } from '../../lib/escape-html.ts'
import { qrCode } from './qr.ts'

/** What a visitor is told of the visit. */
export interface PassMailContent {
  to: string
  name: string
  company: string
  host: string | null
  from: number
  until: number
  timeZone: string
  token: string
}

const WHEN: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/**
 * The mail that brings a visitor the pass, in both languages, because the gateway knows none of a visitor's. The code is drawn as a
 * table, which every mail program shows without fetching anything.
 */
export function composePassMail({ to, name, company, host, from, until, timeZone, token }: PassMailContent) {
  const span = (language: string) =>
    new Intl.DateTimeFormat(language, { ...WHEN, timeZone }).formatRange(from, until)
  const lines = [
    `${plainName(name)} 您好：`,
    `歡迎蒞臨${company ? ` ${plainName(company)}` : ''}。到訪期間：${span('zh-TW')}${host ? `；受訪者：${plainName(host)}` : ''}。`,
    '請於門口掃描器出示下方 QR Code。此通行證僅限您本人於到訪期間使用。',
    '',
    `Dear ${plainName(name)},`,
    `Welcome${company ? ` to ${plainName(company)}` : ''}. Your visit: ${span('en-US')}${host ? `; host: ${plainName(host)}` : ''}.`,
    'Show the QR code below at the scanner by the door. The pass is yours alone and good for the time of your visit.',
  ]
  const text = [...lines, '', token].join('\n')
  const html = `<div lang="zh-TW">${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}${table(token)}<p><small>${escapeHtml(token)}</small></p></div>`
  return { to, subject: '訪客通行證 / Visitor pass', text, html }
}

const CELL = 6

/** The code with its quiet zone; neighbours of one colour are one cell. */
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
