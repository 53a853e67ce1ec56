import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import { employee } from '../../../contract/access-control/employee.ts'
import { floor } from '../../../contract/homes/floor.ts'
import { home as homeResource } from '../../../contract/homes/home.ts'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import { scanner } from '../../../contract/access-control/scanner.ts'
import { user } from '../../../contract/people/user.ts'
import { visitor } from '../../../contract/access-control/visitor.ts'
import type { Call } from '../../../scripts/api.ts'
import type { PathName } from '../../../src/navigation/paths.ts'

/** Parameters for addresses of the demo, by the name of the screen. */
export async function paramsIn(owner: Call): Promise<(name: PathName) => Record<string, string | number>> {
  const [home] = await owner(homeResource.operations.list, {})
  const HomeID = home?.HomeID ?? ''
  const [{ Peripherals: existingDevices }, { Peripherals }, people, visitors, employees, [door]] =
    await Promise.all([
      owner(peripheral.operations.list, { HomeID }),
      owner(peripheral.operations.list, {}),
      owner(user.operations.list, {}),
      owner(visitor.operations.list, {}),
      owner(employee.operations.list, {}),
      owner(scanner.operations.list, {}),
    ])
  const params = {
    HomeID,
    RoomID: home?.RoomList[1]?.RoomID ?? 0,
    Category: 'LightSwitch',
    peripheralID: existingDevices.find(({ PeripheralType }) => PeripheralType === '528')?.PeripheralUID ?? '',
    userID: people.at(-1)?.CognitoId ?? '',
    visitorID: visitors.Rows[0]?.VisitorID ?? '',
    employeeID: employees.Rows[0]?.EmployeeID ?? '',
    ThingName: door?.ThingName ?? '',
    deviceName: door?.ThingName ?? '',
  }
  const meter = Peripherals.find(({ PeripheralType }) => capabilityOf(PeripheralType, 'modbus'))
  const firstFloor = async () => (await owner(floor.operations.list, { HomeID }))[0]
  if (!(await firstFloor()))
    await owner(floor.operations.create, { HomeID, FloorName: '1F' }).catch(async (error: unknown) => {
      // Another worker may have added it in the meantime.
      if (!(await firstFloor())) throw error
    })
  const FloorID = (await firstFloor())?.FloorID ?? ''
  return (name) =>
    name === 'ModBusInfo'
      ? { ...params, HomeID: meter?.HomeID ?? '', peripheralID: meter?.PeripheralUID ?? '' }
      : { ...params, FloorID }
}
