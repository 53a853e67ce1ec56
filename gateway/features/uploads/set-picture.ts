import { CompanyProfile } from '../../../contract/people/company-calls.ts'
import type { EmployeeKey } from '../../../contract/access-control/employee.ts'
import type { FloorKey, FloorPlan } from '../../../contract/homes/floor.ts'
import { Peripheral } from '../../../contract/devices/peripheral.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Events } from '../../kernel/events.ts'
import { columnsOf } from '../../store/sql.ts'
import { sql, type Db, type Sql } from '../../kernel/db.ts'
import type { UploadPurpose } from './ticket.ts'

interface Deps {
  db: Db
  events: Events
}

/** Address of a picture, with the size of a plan. */
export type StoredPicture = Pick<FloorPlan, 'Url'> & Partial<FloorPlan>

/**
 * Sets the new picture in the record of an upload and publishes the change.
 *
 * returns  previous addresses
 * errors   NOT_FOUND if the record was deleted
 */
export async function setPicture(
  { db, events }: Deps,
  purpose: UploadPurpose,
  stored: StoredPicture,
): Promise<readonly string[]> {
  const { tenant } = purpose
  const { Url } = stored
  switch (purpose.kind) {
    case 'logo': {
      const where = sql`tenant = ${tenant}`
      const [before, record] = await swap<CompanyProfile, string>(
        db,
        sql`select logo_url as old from companies where ${where} for update`,
        sql`update companies set logo_url = ${Url} where ${where} returning ${columnsOf(CompanyProfile)}`,
      )
      events.emit('dataChange', { tenant, name: 'company.update', record, by: null })
      return before === null ? [] : [before]
    }
    case 'employee': {
      const where = sql`tenant = ${tenant} and employee_id = ${purpose.EmployeeID}`
      const [before, record] = await swap<EmployeeKey, string>(
        db,
        sql`select photo_url as old from employees where ${where} for update`,
        sql`update employees set photo_url = ${Url} where ${where} returning employee_id as "EmployeeID"`,
      )
      events.emit('dataChange', { tenant, name: 'employee.update', record, by: null })
      return before === null ? [] : [before]
    }
    case 'floorPlan': {
      const where = sql`tenant = ${tenant} and home_id = ${purpose.HomeID} and floor_id = ${purpose.FloorID}`
      const [before, record] = await swap<FloorKey, FloorPlan>(
        db,
        sql`select plan as old from floors where ${where} for update`,
        sql`update floors set plan = ${JSON.stringify(stored)}::jsonb where ${where}
          returning home_id as "HomeID", floor_id as "FloorID"`,
      )
      events.emit('dataChange', { tenant, name: 'floor.update', record, by: null })
      return before === null ? [] : [before.Url, before.SmallUrl]
    }
    case 'peripheral': {
      const where = sql`tenant = ${tenant} and home_id = ${purpose.HomeID} and peripheral_uid = ${purpose.PeripheralUID}`
      const [before, record] = await swap<Peripheral, string>(
        db,
        sql`select peripheral_image_url as old from peripherals where ${where} for update`,
        sql`update peripherals set peripheral_image_url = ${Url} where ${where} returning ${columnsOf(Peripheral)}`,
      )
      events.emit('dataChange', { tenant, name: 'peripheral.update', record, by: null })
      return before === null ? [] : [before]
    }
  }
}

const swap = <Record extends object, Old>(db: Db, select: Sql, update: Sql): Promise<[Old | null, Record]> =>
  db.transaction(async (tx) => {
    const [before] = await tx.query<{ old: Old | null }>(select)
    const [record] = await tx.query<Record>(update)
    if (!before || !record)
      throw new GatewayError('NOT_FOUND', 'What this picture was for does not exist any more')
    return [before.old, record]
  })
