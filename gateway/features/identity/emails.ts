import type { Language } from '../../../contract/kernel/scalars.ts'
import type { Mail } from '../../kernel/ports.ts'
import { sql, type Db } from '../../kernel/db.ts'
import type { Codes } from './codes.ts'
import { findByEmail } from './people.ts'

const TEXTS = {
  'zh-TW': {
    subject: '重設密碼驗證碼',
    lines: (code: string, link: string) => [
      '請在 1 小時內開啟此連結，並設定新密碼：',
      link,
      `或在 15 分鐘內於「忘記密碼」畫面輸入驗證碼 ${code}`,
      '若您沒有要求重設密碼，請忽略此信，您的密碼不會改變。',
    ],
  },
  'en-US': {
    subject: 'Password reset code',
    lines: (code: string, link: string) => [
      'Open this link within an hour and choose a new password:',
      link,
      `Or enter the code ${code} on the "Forgot password" screen within 15 minutes.`,
      'If you did not request this, ignore this message; your password stays unchanged.',
    ],
  },
}

/** Email with a password reset code and link, in the recipient's language. */
function composeResetMail(to: string, { code, link }: { code: string; link: string }, language: Language) {
  const { subject, lines } = TEXTS[language]
  return {
    to,
    subject,
    text: lines(code, link).join('\n\n'),
    html: `<div lang="${language}">${lines(code, link)
      .map(
        (line) => `<p>${line === link ? linkHtml(link) : line.replace(code, `<strong>${code}</strong>`)}</p>`,
      )
      .join('')}</div>`,
  }
}

const LINK_TEXTS = {
  'zh-TW': ['您的公司管理員請您設定新密碼。請在 24 小時內開啟此連結：', '在此之前，您目前的密碼仍然有效。'],
  'en-US': [
    'An administrator of your company asks you to set a new password. Open this link within 24 hours:',
    'Until then, your current password stays valid.',
  ],
}

/** Email with a reset link that an administrator requested, in the recipient's language. */
function composeResetLinkMail(to: string, link: string, language: Language) {
  const [ask = '', note = ''] = LINK_TEXTS[language]
  return {
    to,
    subject: { 'zh-TW': '設定新密碼', 'en-US': 'Set a new password' }[language],
    text: [ask, link, note].join('\n\n'),
    html: `<div lang="${language}"><p>${ask}</p><p>${linkHtml(link)}</p><p>${note}</p></div>`,
  }
}

const linkHtml = (link: string) => {
  const shown = link.replaceAll('&', '&amp;')
  return `<a href="${shown}">${shown}</a>`
}

const SIGN_UP_TEXTS = {
  'zh-TW': {
    subject: '註冊驗證碼',
    code: (code: string) => [
      `您的驗證碼是 ${code}`,
      '請在 30 分鐘內於註冊畫面輸入此驗證碼，以建立公司。',
      '若您沒有註冊，請忽略此信。',
    ],
    taken: [
      '有人以此電子郵件地址註冊公司，但此地址已有帳號，因此沒有建立任何公司。',
      '若是您本人，請直接登入；忘記密碼時，可於登入畫面重設。',
    ],
  },
  'en-US': {
    subject: 'Sign-up code',
    code: (code: string) => [
      `Your code is ${code}`,
      'Enter it on the sign-up screen within 30 minutes to create your company.',
      'If you did not sign up, ignore this message.',
    ],
    taken: [
      'Someone signed up a company with this address. The address already has an account, so no company was created.',
      'If that was you, please sign in; a forgotten password can be reset on the sign-in screen.',
    ],
  },
}

/** Email with the code that completes a sign-up. */
export function composeSignUpMail(to: string, code: string, language: Language) {
  const { subject, code: lines } = SIGN_UP_TEXTS[language]
  return { to, subject, text: lines(code).join('\n\n') }
}

/** Email to the owner of an address that was used in a sign-up but is registered already; same subject as that of a code. */
export function composeTakenMail(to: string, language: Language) {
  const { subject, taken } = SIGN_UP_TEXTS[language]
  return { to, subject, text: taken.join('\n\n') }
}

/** Email that invites a company; in both languages, as the recipient's is unknown. */
export function composeInvitationMail(to: string, link: string) {
  return {
    to,
    subject: '邀請註冊公司 · Invitation to sign up your company',
    text: [
      '請在 7 天內開啟此連結並註冊您的公司；連結只能使用一次。',
      'Open this link within 7 days and sign up your company; it works once.',
      link,
    ].join('\n\n'),
  }
}

/** Purposes of the codes and links in these emails. */
export const BY_CODE = 'reset-password'
export const BY_LINK = 'reset-password-link'
/** Longer than the longest delay between two emails, so that requesting more of them does not invalidate the last one too early. */
const LINK_LIFE = 60 * 60_000
/** Validity of a link that an administrator requested: the recipient may not read email soon. */
const REQUESTED_LINK_LIFE = 24 * 60 * 60_000

/** Link to the page for a new password. The part after # stays in the browser, so no server, proxy or log sees the secret. */
const resetLink = (baseUrl: string, email: string, secret: string): string =>
  `${baseUrl}/resetPassWord#${new URLSearchParams({ email, code: secret })}`

export type ResetMails = ReturnType<typeof createResetMails>

/**
 * Emails with which a person sets a new password.
 *
 * baseUrl  address of the product for browsers, without a slash at the end
 */
export function createResetMails({
  db,
  mail,
  codes,
  baseUrl,
}: {
  db: Db
  mail: Mail
  codes: Codes
  baseUrl: string
}) {
  async function readLanguage(cognitoId: string): Promise<Language> {
    const [config] = await db.query<{ language: string | null }>(sql`
      select language from personal_configs where cognito_id = ${cognitoId}::uuid`)
    return config?.language === 'en-US' ? 'en-US' : 'zh-TW'
  }

  return {
    /** Emails a code and a link, if the address belongs to a person with a password here. */
    async sendCode(email: string): Promise<void> {
      const person = await findByEmail(db, email)
      if (!person?.enabled || person.passwordHash === undefined) return
      const language = await readLanguage(person.cognitoId)
      const code = await codes.create(person, BY_CODE)
      const link = resetLink(
        baseUrl,
        person.email,
        await codes.createLink(person, BY_LINK, { life: LINK_LIFE }),
      )
      await mail.send(composeResetMail(person.email, { code, link }, language))
    },

    /** Emails a link that an administrator requested; `on` is the transaction that has locked the person. */
    async sendLink(
      person: { tenant: string; cognitoId: string; email: string },
      on: Db,
      instead?: Parameters<Mail['send']>[0],
    ): Promise<void> {
      if (instead) return mail.send(instead)
      const secret = await codes.createLink(person, BY_LINK, { life: REQUESTED_LINK_LIFE, on })
      const link = resetLink(baseUrl, person.email, secret)
      await mail.send(composeResetLinkMail(person.email, link, await readLanguage(person.cognitoId)))
    },
  }
}
