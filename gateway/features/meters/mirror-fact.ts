import type { DatedValue, MeterFactName } from '../../../contract/meters/meter-facts.ts'
import { Peripheral } from '../../../contract/devices/peripheral.ts'
import { VirtualMeter } from '../../../contract/meters/virtual-meter.ts'
import type { SignedIn } from '../../kernel/context.ts'
import type { MeterKey } from '../../domain/meters/meter-facts.ts'
import { columnsOf } from '../../store/columns.ts'
import { sql } from '../../store/db.ts'
import type { FactMeter } from './fact-meter.ts'

/** The device stands where its meter stands today, and has its role, and a virtual meter is what it is today; a parent that is no device is remembered by the meter alone. */
export async function mirrorFact(
  context: SignedIn,
  { tenant, HomeID, MeterID }: MeterKey,
  { PeripheralUID }: FactMeter,
  fact: MeterFactName,
  history: readonly DatedValue<unknown>[],
): Promise<void> {
  const today = history.at(-1)
  if (fact === 'terms' && today) await mirrorTerms(context, { tenant, HomeID, MeterID }, today.value)
  if (MeterID !== PeripheralUID) return
  const column =
    fact === 'role'
      ? sql`role = ${(today?.value ?? null) as string | null}`
      : fact === 'room' && today
        ? sql`room_id = ${today.value as number}::int`
        : fact === 'parent' && today
          ? sql`parent_meter = (select a.peripheral_uid from peripherals a where a.tenant = ${tenant}
              and a.home_id = ${HomeID} and a.peripheral_uid = ${today.value as string | null})`
          : undefined
  if (!column) return
  const [record] = await context.db.query<Peripheral>(sql`update peripherals set ${column}
    where tenant = ${tenant} and home_id = ${HomeID} and peripheral_uid = ${PeripheralUID}
    returning ${columnsOf(Peripheral)}`)
  if (record) context.change('peripheral.update', record)
}

async function mirrorTerms(
  context: SignedIn,
  { tenant, HomeID, MeterID }: MeterKey,
  terms: unknown,
): Promise<void> {
  const [record] = await context.db.query<VirtualMeter>(sql`
    update virtual_meters set terms = ${JSON.stringify(terms)}::jsonb, version = version + 1
    where tenant = ${tenant} and home_id = ${HomeID} and virtual_meter_id = ${MeterID}
    returning ${columnsOf(VirtualMeter)}`)
  if (record) context.change('virtualMeter.update', record)
}
