import type { Language } from '../../../contract/kernel/scalars.ts'
import { escapeHtml } from '../../lib/escape-html.ts'
import { plainName } from '../../lib/mail/plain-name.ts'
import type { AddressConflictMail } from './foreign-address.ts'

const TEXTS = {
  'zh-TW': {
    subject: (company: string) => `邀請您加入「${company}」`,
    by: (company: string, who: string) =>
      `${who ? `${who} 邀請您使用` : '邀請您使用'}「${company}」的智慧建築儀表板。請在 7 天內開啟此連結並設定密碼：`,
    note: '連結只能使用一次。若您不認識寄件者，請忽略此信；您沒有設定密碼，就沒有人能以這個地址登入。',
  },
  'en-US': {
    subject: (company: string) => `Invitation to ${company}`,
    by: (company: string, who: string) =>
      `${who ? `${who} invites you` : 'You are invited'} to the building dashboard of ${company}. Open this link within 7 days and choose a password:`,
    note: 'The link works once. If you do not know who sent it, ignore this message: until you choose a password, nobody can sign in with this address.',
  },
}

/**
 * The mail that invites a person, in their language.
 *
 * company, who  as people typed them; `who` is empty for somebody without a name
 */
export function composeInvitation(
  to: string,
  { company, who, link, language }: { company: string; who: string; link: string; language: Language },
): AddressConflictMail {
  const { subject, by, note } = TEXTS[language]
  const name = plainName(company)
  const lines = [by(name, who && plainName(who)), link, note]
  const inHtml = (line: string) =>
    line === link
      ? `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`
      : `<p>${escapeHtml(line)}</p>`
  return {
    to,
    subject: subject(name),
    text: lines.join('\n\n'),
    html: `<div lang="${language}">${lines.map(inHtml).join('')}</div>`,
  }
}
