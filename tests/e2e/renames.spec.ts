import { FEATURES, OPERATIONS } from '../../contract/kernel/permissions.ts'
import { department } from '../../contract/people/department.ts'
import { employee } from '../../contract/access-control/employee.ts'
import { room } from '../../contract/homes/room.ts'
import { scanner } from '../../contract/access-control/scanner.ts'
import { tariff } from '../../contract/tariffs/tariff.ts'
import { virtualMeter } from '../../contract/meters/virtual-meter.ts'
import { TAIPOWER_PLANS } from '../../contract/tariffs/taipower-plans.ts'
import { DEMO_PASSWORD } from '../../scripts/demo-company.ts'
import { addHome, hire } from './support/company.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

for (const language of LANGUAGES)
  test(`${language}: shows a colleague's rename on every open page`, async ({ browser, company }) => {
    const { product, owner, email } = company
    const HomeID = await addHome(company)
    const { hub } = await addOwnHub(company, {
      HomeID,
      DeviceName: 'hub',
      devices: [{ PeripheralUID: `main-${language}`, PeripheralType: '514', PeripheralName: 'main' }],
    })
    const Terms = [{ PeripheralUID: `main-${language}`, Factor: 1 as const }]
    const Versions = TAIPOWER_PLANS[0]?.Versions ?? []
    const sum = await owner(virtualMeter.operations.create, { HomeID, VirtualMeterName: 'old sum', Terms })
    const price = await owner(tariff.operations.create, { TariffName: 'old tariff', Versions })
    const group = await owner(department.operations.create, { Department: 'old department' })
    const { DepartmentID } = group
    await owner(employee.operations.create, { EmployeeName: 'E', Email: 'e@example.com', DepartmentID })
    const place = await owner(room.operations.create, { HomeID, RoomName: 'old room' })
    const door = await owner(scanner.operations.create, { ScannerName: 'old scanner', HomeID })

    const rights = FEATURES.map((FeatureKey) => ({ FeatureKey, OperationList: [...OPERATIONS] }))
    const { Email } = await hire(company, '同事', rights)
    const colleague = await product.api.signIn(Email, DEMO_PASSWORD)
    const { page, words, goTo, live } = await signIn(browser, product, language, email)
    await live()

    /** Opens a page with the old name, has the colleague rename it, and checks that the page shows the new name. */
    const follows = (
      what: string,
      path: string,
      region: 'main' | 'navigation',
      rename: () => Promise<unknown>,
    ) =>
      test.step(what, async () => {
        await goTo(path)
        const named = (name: string) => page.getByRole(region).getByText(name, { exact: false }).first()
        await expect(named(`old ${what}`)).toBeVisible()
        await rename()
        await expect(named(`new ${what}`)).toBeVisible()
        await expect(page.getByRole(region).getByText(`old ${what}`)).toHaveCount(0)
      })

    await follows('sum', `/electricity/${HomeID}?meters=${sum.VirtualMeterID}`, 'main', () =>
      colleague(virtualMeter.operations.update, {
        HomeID,
        VirtualMeterID: sum.VirtualMeterID,
        VirtualMeterName: 'new sum',
      }),
    )
    await follows('tariff', `/tariff/${HomeID}?tab=own`, 'main', () =>
      colleague(tariff.operations.update, { TariffID: price.TariffID, TariffName: 'new tariff' }),
    )
    await follows('department', '/EmployeeManagement', 'main', () =>
      colleague(department.operations.update, { DepartmentID, Department: 'new department' }),
    )
    await page.getByRole('button', { name: new RegExp(`^${words('shell:menu.rooms')}`) }).click()
    await follows('room', '/HomeList', 'navigation', () =>
      colleague(room.operations.update, { HomeID, RoomID: place.RoomID, RoomName: 'new room' }),
    )
    await follows('scanner', '/ScannerManagement', 'main', () =>
      colleague(scanner.operations.update, { ThingName: door.ThingName, ScannerName: 'new scanner' }),
    )
    await hub.end()
  })
