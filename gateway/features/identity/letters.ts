export type Language = 'zh-TW' | 'en-US'

const TEXTS = {
  'zh-TW': {
    subject: '重設密碼驗證碼',
    lines: (code: string) => [
      `您的驗證碼是 ${code}`,
      '請在 15 分鐘內於「忘記密碼」畫面輸入此驗證碼，並設定新密碼。',
      '若您沒有要求重設密碼，請忽略此信，您的密碼不會改變。',
    ],
  },
  'en-US': {
    subject: 'Password reset code',
    lines: (code: string) => [
      `Your code is ${code}`,
      'Enter it on the "Forgot password" screen within 15 minutes and choose a new password.',
      'If you did not ask for this, ignore this message; your password stays as it is.',
    ],
  },
}

/** The letter with a password reset code, in the reader's language. */
export function resetLetter(to: string, code: string, language: Language) {
  const { subject, lines } = TEXTS[language]
  const html = lines(code).map((line) => `<p>${line.replace(code, `<strong>${code}</strong>`)}</p>`)
  return {
    to,
    subject,
    text: lines(code).join('\n\n'),
    html: `<div lang="${language}">${html.join('')}</div>`,
  }
}
