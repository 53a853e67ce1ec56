import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  type CommandAdvance,
  commandStatements,
} from '../../../../gateway/features/control/command-statements.ts'
import { type Db, sql } from '../../../../gateway/kernel/db.ts'
import { createBuilding } from '../../../support/building.ts'
import { createTestDb } from '../../../support/postgres.ts'
import { PATIENT } from '../../../support/patient.ts'

let db: Db
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())

it('locks commands in key order, so that two gateways never deadlock', async () => {
  const { tenant, homeId, thingName } = await createBuilding(db)
  const statements = commandStatements(db)
  const commandOf = (RequestID: string): CommandAdvance => ({
    from: 'accepted',
    steps: [{ State: 'sent', Reason: null, Timestamp: 1 }],
    tracked: {
      tenant,
      thingName,
      command: {
        RequestID,
        HomeID: homeId,
        PeripheralUID: 'light',
        Values: {},
        State: 'accepted',
        Reason: null,
        Source: 'person',
        By: null,
        RunID: null,
        RequestedAt: 0,
        SettledAt: null,
      },
    },
  })
  const given = ['d', 'c', 'b', 'a'].map(commandOf)
  // The database contains them in this order, in which it would visit them.
  for (const { tracked } of given) await statements.insert([{ tracked, history: [] }])

  await db
    .transaction(async (tx) => {
      await tx.query(sql`select 1 from commands where tenant = ${tenant} and request_id = 'a' for update`)
      const advancing = statements.advance(given)
      await vi.waitFor(async () => {
        const waiting = await db.query(sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%update commands%'`)
        expect(waiting).toHaveLength(1)
      }, PATIENT)
      const free = await tx.query<{ key: string }>(sql`select request_id as key from commands
      where tenant = ${tenant} and request_id <> 'a' order by request_id for update skip locked`)
      expect(free.map(({ key }) => key)).toEqual(['b', 'c', 'd'])
      // The other gateway finishes first.
      await tx.query(sql`update commands set state = 'sent' where tenant = ${tenant} and request_id = 'a'`)
      return { advancing }
    })
    .then(async ({ advancing }) => expect(await advancing).toEqual([true, true, true, false]))
})
