import { accessControl } from '../contract/access-control/calls.ts'
import { department } from '../contract/people/department.ts'
import { employee } from '../contract/access-control/employee.ts'
import { scanner } from '../contract/access-control/scanner.ts'
import { visitor } from '../contract/access-control/visitor.ts'
import type { Credential, ScannerOptions } from '../simulator/scanner.ts'
import type { Call } from './api.ts'

const HOUR = 3_600_000
const SCANNER = '大廳掃描器'

/** Employees of the demo with their cards; the last one is no longer active. */
const EMPLOYEES = [
  ['陳怡君', 'chen@demo.example', '04A1B2C3', true],
  ['林志明', 'lin@demo.example', '04D4E5F6', true],
  ['王淑芬', 'wang@demo.example', '0411AA22', true],
  ['黃建宏', 'huang@demo.example', '0433BB44', true],
  ['張雅婷', 'chang@demo.example', '0455CC66', true],
  ['李俊傑', 'lee@demo.example', '0477DD88', false],
] as const

/** Visitors of the day: name, company, phone, purpose, and whether they have arrived. */
const VISITORS = [
  ['周大為', '宏達機電', '0911222333', '空調保養', true],
  ['Emily Carter', 'Northwind Energy', '0922333444', '能源稽核', true],
  ['吳佩珊', '', '0933444555', '面試', false],
  ['鄭文凱', '永信消防', '0955666777', '消防檢查', false],
] as const

/**
 * Creates the demo's access control: a scanner, employees with cards and visitors of today; returns the simulator's options for the
 * scanner.
 *
 * now  epoch ms
 */
export async function seedAccess(
  call: Call,
  site: { rootId: string; HomeID: string },
  secrets: Record<string, string>,
  now: number,
): Promise<Omit<ScannerOptions, 'url'>> {
  const people: Credential[] = []
  const { Rows } = await call(employee.operations.list, { Limit: 500 })
  const departments = await call(department.operations.list, {})
  const hosts: string[] = []
  for (const [index, [EmployeeName, Email, CardNumber, Active]] of EMPLOYEES.entries()) {
    const DepartmentID = departments[index % Math.max(1, departments.length)]?.DepartmentID ?? null
    const known = Rows.find((row) => row.Email === Email)
    const { EmployeeID } =
      known ??
      (await call(employee.operations.create, { EmployeeName, Email, CardNumber, Active, DepartmentID }))
    hosts.push(EmployeeID)
    people.push({ Type: 'card', Credential: CardNumber })
  }
  await seedVisitors(call, hosts, now)
  return { ...site, ...(await seedScanner(call, site.HomeID, secrets)), people }
}

/** Creates today's visitors, unless the demo was started before on the same day. */
async function seedVisitors(call: Call, hosts: readonly string[], now: number): Promise<void> {
  const { Total } = await call(visitor.operations.list, { From: now, Limit: 1 })
  if (Total > 0) return
  for (const [index, [VisitorName, Company, Phone, Purpose, hasArrived]] of VISITORS.entries()) {
    const { VisitorID } = await call(visitor.operations.create, {
      VisitorName,
      Company,
      Email: `visitor${index + 1}@demo.example`,
      Phone,
      Purpose,
      HostEmployeeID: hosts[index] ?? null,
      ValidFrom: now - HOUR,
      ValidUntil: now + (index + 2) * HOUR,
      MailPass: false,
    })
    if (hasArrived) await call(accessControl.checkInVisitor, { VisitorID })
  }
}

async function seedScanner(
  call: Call,
  HomeID: string,
  secrets: Record<string, string>,
): Promise<{ ThingName: string; Secret: string }> {
  const known = (await call(scanner.operations.list, {})).find(({ ScannerName }) => ScannerName === SCANNER)
  const secret = known && secrets[known.ThingName]
  if (known && secret !== undefined) return { ThingName: known.ThingName, Secret: secret }
  const { ThingName, Secret } = known
    ? await call(accessControl.rotateScannerSecret, { ThingName: known.ThingName })
    : await call(scanner.operations.create, { ScannerName: SCANNER, HomeID })
  secrets[ThingName] = Secret
  return { ThingName, Secret }
}
