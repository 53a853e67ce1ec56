import type { SignedIn } from '../../kernel/context.ts'
import { deleteLettersTo } from '../../deliveries/legacy.ts'
import { deleteRecipients } from '../../deliveries/store.ts'
import { sql } from '../../kernel/db.ts'
import { eraseTraces } from './erase-traces.ts'
import { idsOf, type Person } from './person.ts'
import { createReplacer, type Pseudonym, pseudonymOf } from './replace.ts'

/**
 * Erases a person in the open transaction: deletes the employee record, messages and stored results, clears visits, and replaces name,
 * address and phone in all remaining data. The caller deletes the account afterwards, if there is one.
 */
export async function erasePerson(person: Person, context: SignedIn): Promise<Pseudonym> {
  const { db, clock } = context
  const { tenant, email, account, formerAccounts, employee, visits } = person
  const accounts = [...(account ? [account] : []), ...formerAccounts]
  const pseudonym = pseudonymOf(person)
  const now = clock.now()
  // Neither table has a tenant column: entries that other companies need for the address stay.
  const isOfOthers = sql`exists (select from users where tenant <> ${tenant} and ${email} in (email, foreign_address)
    union all select from employees where tenant <> ${tenant} and email = ${email}
    union all select from visitors where tenant <> ${tenant} and email = ${email})`
  await db.query(sql`delete from outbox where recipient = ${email} and not ${isOfOthers}`)
  if (account)
    await db.query(sql`delete from company_invitations where email = ${email} and not ${isOfOthers}`)
  await deleteRecipients(db, tenant, [email, ...accounts, ...accounts.map((id) => `person:${id}`)])
  await deleteLettersTo(db, tenant, { email, accounts })
  await db.query(
    sql`delete from request_results where tenant = ${tenant} and cognito_id = any(${accounts}::uuid[])`,
  )
  await db.query(sql`update audit_log set by_name = ${pseudonym.name}, ip = ''
    where tenant = ${tenant} and cognito_id = any(${accounts}::uuid[])`)
  if (employee) {
    await db.query(sql`delete from employees where tenant = ${tenant} and employee_id = ${employee.id}`)
    if (employee.photoUrl) context.emit('pictureDropped', { imageUrl: employee.photoUrl })
    context.change('employee.remove', { EmployeeID: employee.id })
  }
  await db.query(sql`
    update visitors set visitor_name = '', company = '', email = '', phone = '', ext = '', purpose = '', host_employee_id = null,
      revoked_at = case when checked_out_at is null and valid_until > ${now}::bigint then coalesce(revoked_at, ${now}::bigint)
        else revoked_at end,
      anonymised_at = ${now}, version = version + 1
    where tenant = ${tenant} and visitor_id = any(${[...visits]}::text[])`)
  for (const VisitorID of visits) context.change('visitor.update', { VisitorID })
  await db.query(
    sql`delete from people_inside where tenant = ${tenant} and person_id = any(${idsOf(person)}::text[])`,
  )
  await eraseTraces(db, person, createReplacer(person, pseudonym))
  return pseudonym
}
