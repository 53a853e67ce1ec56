export type Language = 'zh-TW' | 'en-US'

const TEXTS = {
  'zh-TW': {
    subject: '重設密碼驗證碼',
    lines: (code: string, link: string) => [
      '請在一小時內開啟此連結，並設定新密碼：',
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
      'If you did not ask for this, ignore this message; your password stays as it is.',
    ],
  },
}

/** The mail with a password reset code and link, in the reader's language. */
export function composeResetMail(
  to: string,
  { code, link }: { code: string; link: string },
  language: Language,
) {
  const { subject, lines } = TEXTS[language]
  return {
    to,
    subject,
    text: lines(code, link).join('\n\n'),
    html: `<div lang="${language}">${lines(code, link)
      .map(
        (line) => `<p>${line === link ? anchor(link) : line.replace(code, `<strong>${code}</strong>`)}</p>`,
      )
      .join('')}</div>`,
  }
}

const anchor = (link: string) => {
  const shown = link.replaceAll('&', '&amp;')
  return `<a href="${shown}">${shown}</a>`
}
