import { expect, it, vi } from 'vitest'
import { createScannerPresence } from '../../../../gateway/features/access/scanner-presence.ts'
import type { Client } from '../../../../gateway/broker/port.ts'
import { createEvents } from '../../../../gateway/events.ts'
import type { Log } from '../../../../gateway/ports.ts'
import type { Db } from '../../../../gateway/store/db.ts'
import { holdClock } from '../../../support/clock.ts'

const client: Client = { party: 'scanner', tenant: 'c1', homeId: 'h1', thingName: 's1' }

it('writes that a scanner came back while the database was away once it is there again, and no older word', async () => {
  const clock = holdClock()
  let away = true
  let asked = 0
  const written: unknown[] = []
  const query = async ({ values }: { values: unknown[] }) => {
    asked++
    if (away) throw new Error('away')
    written.push(values[0])
    return []
  }
  const presence = createScannerPresence({
    db: { query } as unknown as Db,
    events: createEvents(() => {}),
    clock,
    log: { warn() {} } as unknown as Log,
  })
  presence.set(client, false)
  presence.set(client, true)
  await vi.waitFor(() => expect(asked).toBe(2))
  away = false
  clock.advance(2_000)
  await vi.waitFor(() => expect(written).toEqual([true]))
  clock.advance(60_000)
  await presence.close()
  expect(written).toEqual([true])
})
