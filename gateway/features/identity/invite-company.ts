import { Email } from '../../../contract/kernel/scalars.ts'
import { baseUrlOf, readConfig } from '../../config/config.ts'
import { commandName } from '../../lib/command-name.ts'
import { createSmtpMail } from '../../lib/mail/outbox.ts'
import { systemClock, systemRandom } from '../../kernel/ports.ts'
import { openDatabaseLocation, withDatabase, defaultLocation } from '../../store/database-location.ts'
import { invitationLink, inviteCompany } from './company-invitations.ts'
import { composeInvitationMail } from './emails.ts'

const USAGE = `Invites a company to sign up, where SIGN_UP=invite, or SIGN_UP=first and there is a company already.

  ${commandName('invite-company')} ADDRESS

Run it on the gateway's machine with the gateway's variables (DATA_DIR or DATABASE_URL, PUBLIC_URL, SMTP_URL); the gateway
may be running. The link is good for that address alone, once, for 7 days. It is mailed where SMTP_URL is set, and printed.`

async function main(): Promise<void> {
  const [given, ...more] = process.argv.slice(2)
  if (given === '--help' || given === '-h') return void process.stdout.write(`${USAGE}\n`)
  const email = Email.safeParse(given)
  if (!email.success || more.length) throw new Error(USAGE)
  const config = readConfig(process.env)
  const ports = { clock: systemClock, random: systemRandom }
  const secret = await withDatabase(openDatabaseLocation(defaultLocation(), { shared: true }), (db) =>
    inviteCompany(db, email.data, ports),
  )
  const link = invitationLink(baseUrlOf(config), email.data, secret)
  process.stdout.write(`${link}\n`)
  if (config.SMTP_URL === undefined) return
  const mail = createSmtpMail(config.SMTP_URL, config.MAIL_FROM)
  try {
    await mail.send(composeInvitationMail(email.data, link))
    process.stdout.write(`Emailed to ${email.data}\n`)
  } finally {
    mail.close()
  }
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
