import { capabilityOf, deviceType } from '../../contract/devices/kinds/registry.ts'
import type { MeterRole } from '../../contract/devices/meter-roles.ts'
import type { MeterUse } from '../../contract/meters/meter-facts.ts'
import type { HubDevice } from '../building/building.ts'
import type { Wiring } from '../models/model.ts'
import type { ProfileName } from '../scenarios/profiles.ts'
import { chance } from '../scenarios/random.ts'
import type { Visit } from '../scenarios/visitors.ts'

/** A device with the room it is added to. */
export interface DemoDevice extends HubDevice {
  RoomName: string
  /** PeripheralUIDs of the meters whose load flows through this one. */
  parentOf?: readonly string[]
  /** Roles of the meter and of its second register in its site; the default role if absent. */
  role?: MeterRole
  returnRole?: MeterRole
  /** Use of the meter's energy; absent for main meters and sources. */
  use?: MeterUse
}
/** A hub to add; RoomName is one of its home's rooms. */
export interface DemoHub {
  DeviceName: string
  RoomName: string
  devices: readonly DemoDevice[]
}
/** A home to create, with its rooms except the default room. */
export interface DemoHome {
  HomeName: string
  TimeZone: string
  rooms: readonly string[]
  hubs: readonly DemoHub[]
}
export interface DemoCompany {
  CompanyName: string
  departments: readonly string[]
  homes: readonly DemoHome[]
}

interface RowOptions extends Wiring {
  watts?: number
  /** Loads of a meter: the lights, or everything metered, of its hub, or what plants leave of that for a battery. */
  feeds?: 'lights' | 'meters' | 'rest'
  role?: MeterRole
  returnRole?: MeterRole
  /** Use of the meter's energy; that of its profile if absent. */
  use?: MeterUse
  pulseDuration?: 60 | 300 | 600 | 900
  visit?: Visit
  /** Rooms whose people it serves; its own room if absent. */
  serves?: readonly string[]
}
type Row = readonly [type: string, name: string, profile: ProfileName, options?: RowOptions]
type Rooms = Record<string, readonly Row[]>

/** Uses of meters by the profile of their load. */
const PROFILE_USES: Partial<Record<ProfileName, MeterUse>> = {
  airConditioning: 'airConditioning',
  hallCooling: 'airConditioning',
  pluggedCooling: 'airConditioning',
  officeLight: 'lighting',
  eveningLight: 'lighting',
  hallLight: 'lighting',
  sockets: 'sockets',
  hallSockets: 'sockets',
  servers: 'it',
  machine: 'production',
  compressor: 'production',
  dayCompressor: 'production',
  conveyor: 'production',
  coldStore: 'production',
  charger: 'evCharging',
  lift: 'other',
  boiler: 'other',
}

/** Reading interval of the demo in seconds: short, so that meters visibly count. */
const METER_SECONDS = 5

/** A hub with the devices of its rooms; UIDs are the prefix and a running number, in the order of the rows. */
function hub(prefix: string, DeviceName: string, RoomName: string, rooms: Rooms): DemoHub {
  const devices: DemoDevice[] = []
  for (const [room, rows] of Object.entries(rooms))
    for (const row of rows) devices.push(device(prefix, room, row, devices))
  return { DeviceName, RoomName, devices }
}

function device(prefix: string, room: string, row: Row, before: readonly DemoDevice[]): DemoDevice {
  const [type, name, profile, options = {}] = row
  const { watts, feeds, role, returnRole, use, pulseDuration, visit, serves = [room], ...wiring } = options
  const uid = `${prefix}-${String(before.length + 1).padStart(2, '0')}`
  const metered = capabilityOf(type, 'meter') !== undefined
  const meterUse = use ?? (feeds === 'lights' ? 'lighting' : PROFILE_USES[profile])
  const fed = fedBy(feeds, before)
  const parentOf = feeds === 'meters' ? fed.filter((one) => !isSource(one)) : undefined
  // A counter after more than a year under full load.
  const rated =
    (watts ?? 0) + lamps(wiring) + (feeds ? fed.reduce((sum, one) => sum + connected(one, before), 0) : 0)
  const kwh = metered ? Math.round(rated * (10 + 9 * chance(1, uid))) : undefined
  return {
    PeripheralUID: uid,
    PeripheralType: type,
    PeripheralName: name,
    RoomName: room,
    ...(parentOf && { parentOf: parentOf.map(({ PeripheralUID }) => PeripheralUID) }),
    ...(role && { role }),
    ...(returnRole && { returnRole }),
    ...(metered && meterUse && { use: meterUse }),
    ...(metered && { PowerMeterUpdateFrequency: METER_SECONDS }),
    ...(pulseDuration && { PulseDuration: pulseDuration }),
    scenario: {
      profile,
      // Towers and loads are individual; other devices share the room's random numbers.
      key: metered || type === '515' ? uid : room,
      rooms: serves,
      ...(visit && { visit }),
      ...(watts && { watts }),
      ...(feeds && { feeds: fed.map(({ PeripheralUID }) => PeripheralUID) }),
      wiring: {
        ...wiring,
        kwh,
        ...(returnRole && { kwhReturned: kwh }),
        ...(pulseDuration && { pulseSeconds: pulseDuration }),
      },
    },
  }
}

/** Devices of a hub whose load flows through a later meter of the list. */
function fedBy(feeds: RowOptions['feeds'], before: readonly DemoDevice[]): readonly DemoDevice[] {
  if (feeds === undefined) return []
  if (feeds === 'lights')
    return before.filter(({ PeripheralType }) =>
      ['LightSwitch', 'Dimmer'].includes(deviceType(PeripheralType)?.category ?? ''),
    )
  // The load of a meter below already includes its own devices.
  const below = new Set(before.flatMap(({ parentOf = [] }) => parentOf))
  return before.filter(
    ({ PeripheralUID, PeripheralType }) => capabilityOf(PeripheralType, 'meter') && !below.has(PeripheralUID),
  )
}

const isSource = ({ scenario: { wiring } }: DemoDevice): boolean =>
  wiring?.source !== undefined || wiring?.storage !== undefined

/** Power in W of the lamps behind a switch, as if it had three gangs. */
const lamps = ({ lampWatts = 0 }: Wiring) => lampWatts * 3

/** Power in W through a device if everything behind it runs. */
const connected = ({ scenario }: DemoDevice, devices: readonly DemoDevice[]): number =>
  devices
    .filter(({ PeripheralUID }) => scenario.feeds?.includes(PeripheralUID))
    .reduce((sum, one) => sum + connected(one, devices), (scenario.watts ?? 0) + lamps(scenario.wiring ?? {}))

function home(HomeName: string, hubs: DemoHub[]): DemoHome {
  const rooms = new Set(
    hubs.flatMap(({ devices, RoomName }) => [RoomName, ...devices.map((d) => d.RoomName)]),
  )
  return { HomeName, TimeZone: 'Asia/Taipei', rooms: [...rooms], hubs }
}

const THIRD_FLOOR = ['三樓業務部', '三樓行銷部', '三樓大會議室', '三樓茶水間']
const FIFTH_FLOOR = ['五樓研發部', '五樓管理部', '五樓小會議室']
const HEAD_OFFICE = ['一樓大廳', '訪客接待室', ...THIRD_FLOOR, ...FIFTH_FLOOR]
const SHOWROOM = ['展示間', '業務辦公區']
const WORKSHOP = ['維修工作室', '備品庫', '會議室']

const neihu = home('內湖總部', [
  hub('NH1F', '一樓閘道器', '一樓機電室', {
    一樓大廳: [
      ['535', '大廳主燈', 'officeLight', { lampWatts: 180 }],
      ['516', '招牌燈', 'eveningLight', { lampWatts: 240 }],
      ['754', '大廳人體感測', 'officeMotion'],
      ['755', '正門', 'entrance'],
      ['755', '側門', 'serviceDoor'],
      ['532', '大廳間接照明', 'officeLight', { lampWatts: 120 }],
      ['753', '大廳空氣品質', 'officeAir'],
      ['756', '大廳偵煙感測', 'untouched'],
    ],
    訪客接待室: [
      ['534', '接待室燈', 'officeLight', { lampWatts: 54 }],
      ['754', '接待室人體感測', 'officeMotion'],
      ['529', '接待室存在感測', 'officePresence'],
    ],
    地下停車場: [
      ['535', '停車場燈', 'officeLight', { lampWatts: 320 }],
      ['754', '車道人體感測', 'officeMotion'],
      ['517', '車道捲門', 'untouched', { contactMode: 0, pulseDuration: 60 }],
      ['517', '排風機接點', 'untouched', { contactMode: 1 }],
      ['526', '停車場 I/O 控制器', 'officeLight', { lampWatts: 250 }],
      ['756', '停車場偵煙感測', 'untouched'],
    ],
    一樓機電室: [
      ['755', '機電室門', 'serviceDoor'],
      ['513', '一樓照明迴路', 'board', { watts: 40, feeds: 'lights' }],
      ['528', '電梯動力', 'lift', { watts: 15_000, phases: 3, serves: HEAD_OFFICE }],
      ['514', '停車場排風', 'sockets', { watts: 2_200, serves: ['地下停車場'], use: 'other' }],
      ['528', '一樓總電表', 'board', { watts: 600, phases: 3, feeds: 'meters' }],
      ['522', '一樓智慧電表', 'board', { watts: 80, phases: 3, feeds: 'meters' }],
    ],
  }),
  hub('NH3F', '三樓閘道器', '三樓茶水間', {
    三樓業務部: [
      ['535', '業務部天花板燈', 'officeLight', { lampWatts: 216 }],
      ['534', '業務部窗邊燈', 'officeLight', { lampWatts: 108 }],
      ['754', '業務部人體感測（東）', 'officeMotion'],
      ['754', '業務部人體感測（西）', 'officeMotion'],
      ['755', '業務部大門', 'entrance'],
    ],
    三樓行銷部: [
      ['535', '行銷部天花板燈', 'officeLight', { lampWatts: 180 }],
      ['533', '攝影區燈', 'officeLight', { lampWatts: 400 }],
      ['754', '行銷部人體感測', 'officeMotion'],
    ],
    三樓大會議室: [
      ['535', '大會議室燈', 'officeLight', { lampWatts: 96 }],
      ['516', '投影布幕前燈', 'officeLight', { lampWatts: 40 }],
      ['754', '大會議室人體感測', 'officeMotion'],
      ['532', '大會議室調光燈', 'officeLight', { lampWatts: 160 }],
      ['529', '大會議室存在感測', 'officePresence'],
      ['753', '大會議室空氣品質', 'officeAir'],
      ['517', '投影布幕升降', 'untouched', { contactMode: 0, pulseDuration: 60 }],
      ['755', '大會議室門', 'entrance'],
    ],
    三樓茶水間: [
      ['516', '茶水間燈', 'officeLight', { lampWatts: 54 }],
      ['754', '茶水間人體感測', 'officeMotion'],
      ['518', '咖啡機插座', 'officeLight', { lampWatts: 900, use: 'sockets' }],
      ['756', '茶水間偵煙感測', 'kitchenSmoke', { visit: { late: 60, stay: -60 } }],
      ['513', '三樓照明迴路', 'board', { watts: 30, feeds: 'lights' }],
      ['514', '三樓插座迴路', 'sockets', { watts: 9_000, serves: THIRD_FLOOR }],
      ['528', '三樓空調', 'airConditioning', { watts: 22_000, phases: 3, serves: THIRD_FLOOR }],
      ['514', '茶水間飲水機', 'sockets', { watts: 2_400, serves: THIRD_FLOOR }],
      ['528', '三樓總電表', 'board', { watts: 350, phases: 3, feeds: 'meters' }],
      ['525', '三樓空調溫控器', 'officeClimate', { zones: 3, serves: ['三樓業務部'] }],
      ['527', '三樓全熱交換器', 'officeClimate', { appliance: 'ventilation', serves: ['三樓業務部'] }],
      ['517', '三樓插座夜間斷電接點', 'untouched', { contactMode: 1 }],
    ],
  }),
  hub('NH5F', '五樓閘道器', '五樓機房', {
    五樓研發部: [
      ['535', '研發部天花板燈（北）', 'officeLight', { lampWatts: 216 }],
      ['535', '研發部天花板燈（南）', 'officeLight', { lampWatts: 216 }],
      ['754', '研發部人體感測（北）', 'officeMotion'],
      ['754', '研發部人體感測（南）', 'officeMotion'],
      ['529', '研發部存在感測', 'officePresence'],
      ['753', '研發部空氣品質', 'officeAir'],
      ['755', '研發部大門', 'entrance'],
    ],
    五樓管理部: [
      ['534', '管理部天花板燈', 'officeLight', { lampWatts: 144 }],
      ['754', '管理部人體感測', 'officeMotion'],
      ['755', '檔案室門', 'serviceDoor'],
    ],
    五樓小會議室: [
      ['534', '小會議室燈', 'officeLight', { lampWatts: 72 }],
      ['754', '小會議室人體感測', 'officeMotion'],
      ['527', '小會議室冷氣', 'officeClimate', { appliance: 'airConditioner' }],
    ],
    五樓機房: [
      ['516', '機房燈', 'officeLight', { lampWatts: 54 }],
      ['755', '機房門', 'serviceDoor'],
      ['517', '機房備援風扇', 'untouched', { contactMode: 2 }],
      ['519', '機房排風雙路開關', 'officeLight', { lampWatts: 180, use: 'other' }],
      ['756', '機房偵煙感測', 'untouched'],
      ['757', '機櫃震動感測', 'shocks'],
      ['513', '五樓照明迴路', 'board', { watts: 30, feeds: 'lights' }],
      ['514', '五樓插座迴路', 'sockets', { watts: 12_000, serves: FIFTH_FLOOR }],
      ['528', '五樓空調', 'airConditioning', { watts: 26_000, phases: 3, serves: FIFTH_FLOOR }],
      ['528', '伺服器機櫃', 'servers', { watts: 14_000, phases: 3, serves: HEAD_OFFICE }],
      ['514', '機房冷氣', 'servers', { watts: 5_500, serves: HEAD_OFFICE }],
      ['528', '五樓總電表', 'board', { watts: 350, phases: 3, feeds: 'meters' }],
      ['527', '機房除濕機', 'officeClimate', { appliance: 'dehumidifier' }],
    ],
  }),
  hub('NHRF', '頂樓閘道器', '頂樓機電區', {
    頂樓機電區: [
      ['516', '頂樓機電區燈', 'eveningLight', { lampWatts: 120 }],
      ['533', '航空障礙燈', 'eveningLight', { lampWatts: 60 }],
      ['755', '頂樓逃生門', 'serviceDoor'],
      ['517', '冷卻水塔補水閥', 'untouched', { contactMode: 1 }],
      ['513', '頂樓照明迴路', 'board', { watts: 20, feeds: 'lights' }],
      ['528', '冰水主機', 'airConditioning', { watts: 75_000, phases: 3, serves: HEAD_OFFICE }],
      ['528', '冷卻水塔', 'airConditioning', { watts: 7_500, phases: 3, serves: HEAD_OFFICE }],
      ['514', '揚水泵浦', 'lift', { watts: 3_700, serves: HEAD_OFFICE }],
      ['528', '頂樓總電表', 'board', { watts: 250, phases: 3, feeds: 'meters' }],
    ],
  }),
])

const machines = (line: string, names: readonly string[], watts: number): Row[] =>
  names.map((name): Row => ['528', `${line}${name}`, 'machine', { watts, phases: 3 }])

const taichung = home('台中精機園區工廠', [
  hub('TCA', '一號線閘道器', '一號生產線', {
    一號生產線: [
      ['535', '一號線高天井燈（前段）', 'hallLight', { lampWatts: 800 }],
      ['535', '一號線高天井燈（後段）', 'hallLight', { lampWatts: 800 }],
      ['534', '一號線工作台燈', 'hallLight', { lampWatts: 240 }],
      ['754', '一號線人體感測（前段）', 'hallMotion'],
      ['754', '一號線人體感測（後段）', 'hallMotion'],
      ['517', '一號線警示燈', 'untouched', { contactMode: 1 }],
      ['517', '一號線輸送帶', 'untouched', { contactMode: 2 }],
      ['753', '一號線空氣品質', 'hallAir'],
      ['756', '一號線偵煙感測', 'untouched'],
      ['513', '一號線照明', 'board', { watts: 60, feeds: 'lights' }],
      ...machines('CNC 車床 ', ['A1', 'A2', 'A3', 'A4'], 11_000),
      ...machines('加工中心機 ', ['B1', 'B2'], 18_500),
      ['514', '一號線輸送帶馬達', 'machine', { watts: 2_200 }],
      ['528', '一號線總電表', 'board', { watts: 900, phases: 3, feeds: 'meters' }],
      ['515', 'CNC 車床 A1 三色燈', 'signalTower', { memorized: 5 }],
      ['515', '加工中心機 B1 三色燈', 'signalTower'],
    ],
  }),
  hub('TCB', '二號線閘道器', '二號生產線', {
    二號生產線: [
      ['535', '二號線高天井燈（前段）', 'hallLight', { lampWatts: 800 }],
      ['535', '二號線高天井燈（後段）', 'hallLight', { lampWatts: 800 }],
      ['754', '二號線人體感測（前段）', 'hallMotion'],
      ['754', '二號線人體感測（後段）', 'hallMotion'],
      ['517', '二號線警示燈', 'untouched', { contactMode: 1 }],
      ['757', '沖床震動感測', 'shocks'],
      ['753', '二號線空氣品質', 'hallAir'],
      ['526', '二號線 I/O 控制器', 'hallLight', { lampWatts: 400 }],
      ...machines('射出成型機 ', ['C1', 'C2', 'C3'], 37_000),
      ...machines('沖床 ', ['D1', 'D2'], 22_000),
      ['514', '粉碎機', 'machine', { watts: 5_500 }],
      // Its fourth sensor is covered, so its calibration fails.
      ['515', '沖床 D1 三色燈', 'signalTower', { memorized: 5, coveredSensor: 4 }],
    ],
    品管室: [
      ['534', '品管室燈', 'hallLight', { lampWatts: 108 }],
      ['754', '品管室人體感測', 'hallMotion'],
      ['755', '品管室門', 'entrance'],
      ['514', '恆溫恆濕機', 'coldStore', { watts: 4_500 }],
      ['513', '二號線照明', 'board', { watts: 60, feeds: 'lights' }],
      ['528', '二號線總電表', 'board', { watts: 900, phases: 3, feeds: 'meters' }],
    ],
  }),
  hub('TCU', '公用設備閘道器', '空壓機房', {
    空壓機房: [
      ['534', '空壓機房燈', 'hallLight', { lampWatts: 108 }],
      ['755', '空壓機房門', 'serviceDoor'],
      ['517', '空壓機遠端停機接點', 'untouched', { contactMode: 1 }],
      ['528', '一號空壓機', 'compressor', { watts: 55_000, phases: 3 }],
      ['528', '二號空壓機', 'dayCompressor', { watts: 55_000, phases: 3 }],
      ['528', '乾燥機', 'compressor', { watts: 5_000, phases: 3 }],
      ['528', '冷卻水循環泵', 'compressor', { watts: 7_500, phases: 3 }],
    ],
    配電室: [
      ['533', '配電室燈', 'hallLight', { lampWatts: 72 }],
      ['755', '配電室門', 'serviceDoor'],
      ['756', '配電室偵煙感測', 'untouched'],
      ['513', '公用照明', 'board', { watts: 40, feeds: 'lights' }],
      ['528', '公用設備總電表', 'board', { watts: 500, phases: 3, feeds: 'meters' }],
      ['522', '公用設備智慧電表', 'board', { watts: 150, phases: 3, feeds: 'meters' }],
      ['758', '充電樁 Modbus 電表', 'hallSockets', { watts: 22_000, phases: 3, use: 'evCharging' }],
    ],
  }),
  hub('TCW', '倉儲閘道器', '成品倉庫', {
    成品倉庫: [
      ['535', '倉庫高天井燈', 'hallLight', { lampWatts: 600 }],
      ['534', '揀貨區燈', 'hallLight', { lampWatts: 240 }],
      ['754', '倉庫人體感測', 'hallMotion'],
      ['754', '揀貨區人體感測', 'hallMotion'],
      ['528', '冷藏庫壓縮機', 'coldStore', { watts: 18_500, phases: 3 }],
      ['514', '堆高機充電站', 'hallSockets', { watts: 9_600, use: 'evCharging' }],
    ],
    出貨碼頭: [
      ['535', '碼頭燈', 'hallLight', { lampWatts: 300 }],
      ['755', '一號碼頭門', 'dockDoor'],
      ['755', '二號碼頭門', 'dockDoor'],
      ['755', '三號碼頭門', 'dockDoor'],
      ['517', '一號碼頭升降平台', 'untouched', { contactMode: 0, pulseDuration: 60 }],
      ['517', '二號碼頭升降平台', 'untouched', { contactMode: 0, pulseDuration: 60 }],
      ['754', '碼頭人體感測', 'hallMotion'],
    ],
    員工餐廳: [
      ['534', '餐廳燈', 'hallLight', { lampWatts: 144 }],
      ['754', '餐廳人體感測', 'hallMotion'],
      ['514', '廚房冷藏設備', 'coldStore', { watts: 3_500 }],
      ['528', '餐廳空調', 'hallCooling', { watts: 12_000, phases: 3 }],
    ],
    廠務辦公室: [
      ['534', '廠務辦公室燈', 'officeLight', { lampWatts: 108 }],
      ['754', '廠務辦公室人體感測', 'officeMotion'],
      ['755', '廠務辦公室門', 'entrance'],
      ['514', '廠務插座迴路', 'sockets', { watts: 4_000 }],
      ['513', '倉儲照明', 'board', { watts: 50, feeds: 'lights' }],
      ['528', '倉儲總電表', 'board', { watts: 400, phases: 3, feeds: 'meters' }],
    ],
  }),
])

/** A charger for cars; the one that is shed first has the longest visit, so that it resumes after its power is restored. */
const charger = (name: string, visit: Visit): Row => [
  '518',
  name,
  'charger',
  { watts: 30_000, phases: 3, lampWatts: 0, visit },
]

const kaohsiung = home('高雄分公司', [
  hub('KH1', '前場閘道器', '展示間', {
    展示間: [
      ['535', '展示間軌道燈', 'officeLight', { lampWatts: 150 }],
      ['516', '櫥窗燈', 'eveningLight', { lampWatts: 200 }],
      ['754', '展示間人體感測', 'officeMotion'],
      ['755', '展示間大門', 'entrance'],
      ['517', '電動鐵捲門', 'untouched', { contactMode: 0, pulseDuration: 60 }],
      ['532', '展示台調光燈', 'officeLight', { lampWatts: 90 }],
      ['529', '展示間存在感測', 'officePresence'],
      ['756', '展示間偵煙感測', 'neglectedSmoke'],
    ],
    業務辦公區: [
      ['534', '業務辦公區燈', 'officeLight', { lampWatts: 144 }],
      ['754', '業務辦公區人體感測', 'officeMotion'],
      ['513', '前場照明', 'board', { watts: 20, feeds: 'lights' }],
      ['514', '前場插座迴路', 'sockets', { watts: 5_000, serves: SHOWROOM }],
      ['528', '前場空調', 'airConditioning', { watts: 14_000, phases: 3, serves: SHOWROOM }],
      ['528', '前場總電表', 'board', { watts: 200, phases: 3, feeds: 'meters' }],
      ['521', '前場智慧電表', 'board', { watts: 30, feeds: 'meters' }],
    ],
  }),
  hub('KH2', '後場閘道器', '維修工作室', {
    維修工作室: [
      ['534', '維修工作室燈', 'officeLight', { lampWatts: 144 }],
      ['533', '工作台燈', 'officeLight', { lampWatts: 72 }],
      ['754', '維修工作室人體感測', 'officeMotion'],
      ['514', '測試台電源', 'sockets', { watts: 3_000 }],
      ['517', '集塵機', 'untouched', { contactMode: 2 }],
      ['519', '工具充電開關', 'officeLight', { lampWatts: 150, use: 'sockets' }],
      ['757', '工作台震動感測', 'shocks'],
    ],
    備品庫: [
      ['516', '備品庫燈', 'officeLight', { lampWatts: 108 }],
      ['754', '備品庫人體感測', 'officeMotion'],
      ['755', '備品庫後門', 'serviceDoor'],
    ],
    會議室: [
      ['534', '會議室燈', 'officeLight', { lampWatts: 72 }],
      ['754', '會議室人體感測', 'officeMotion'],
      ['755', '會議室門', 'entrance'],
      ['513', '後場照明', 'board', { watts: 20, feeds: 'lights' }],
      ['514', '後場插座迴路', 'sockets', { watts: 4_000, serves: WORKSHOP }],
      ['528', '後場空調', 'airConditioning', { watts: 9_000, phases: 3, serves: WORKSHOP }],
      ['528', '後場總電表', 'board', { watts: 150, phases: 3, feeds: 'meters' }],
      ['520', '後場智慧電表', 'board', { watts: 30, feeds: 'meters' }],
      ['760', '會議室紅外線遙控器', 'untouched'],
      ['901', '會議室電動窗簾', 'officeLight'],
      ['902', '後門電動捲門', 'untouched'],
      ['903', '會議室服務鈴', 'serviceBell', { battery: 12 }],
      ['904', '後場警報器', 'untouched'],
      ['905', '會議室二氧化碳感測', 'officePresence'],
    ],
  }),
  hub('KH3', '充電區閘道器', '電動車充電區', {
    更衣淋浴間: [['518', '電熱水器', 'boiler', { watts: 6_000, lampWatts: 0 }]],
    電動車充電區: [
      charger('一號充電樁', { late: 0, stay: 480 }),
      charger('二號充電樁', { late: 15, stay: 360 }),
      charger('三號充電樁', { late: 30, stay: -20 }),
      charger('四號充電樁', { late: 45, stay: -10 }),
      charger('五號充電樁', { late: 120, stay: -10 }),
      ['528', '充電區總電表', 'board', { watts: 120, phases: 3, feeds: 'meters' }],
    ],
  }),
])

const tainan = home('台南物流中心', [
  hub('TNM', '電力室閘道器', '電力室', {
    理貨區: [
      ['535', '理貨區高天井燈（東）', 'officeLight', { lampWatts: 900 }],
      ['535', '理貨區高天井燈（西）', 'officeLight', { lampWatts: 900 }],
      ['754', '理貨區人體感測', 'officeMotion'],
      ['756', '理貨區偵煙感測', 'untouched'],
      ['513', '理貨區照明迴路', 'board', { watts: 40, feeds: 'lights' }],
      ['528', '理貨輸送帶', 'conveyor', { watts: 18_500, phases: 3 }],
      ['514', '堆高機充電座', 'sockets', { watts: 12_000, use: 'evCharging' }],
    ],
    冷藏庫: [
      ['528', '冷藏庫冷凍機', 'coldStore', { watts: 30_000, phases: 3 }],
      ['755', '冷藏庫門', 'serviceDoor'],
    ],
    二樓辦公室: [
      ['754', '辦公室人體感測', 'officeMotion'],
      ['529', '辦公室存在感測', 'officePresence'],
      ['753', '辦公室空氣品質', 'officeAir'],
      ['514', '辦公室插座迴路', 'sockets', { watts: 6_000 }],
      ['528', '辦公室空調', 'airConditioning', { watts: 15_000, phases: 3 }],
    ],
    洽談室: [
      ['534', '洽談室燈', 'officeLight', { lampWatts: 48 }],
      ['529', '洽談室存在感測', 'officePresence'],
      ['518', '洽談室冷氣', 'pluggedCooling', { watts: 3_600, lampWatts: 0 }],
    ],
    電力室: [
      ['755', '電力室門', 'serviceDoor'],
      ['528', '屋頂太陽能發電', 'solar', { watts: 160_000, phases: 3, source: true, role: 'generation' }],
      [
        '528',
        '儲能電池',
        'battery',
        {
          feeds: 'rest',
          phases: 3,
          storage: { kWh: 140, watts: 50_000 },
          role: 'storageDischarge',
          returnRole: 'storageCharge',
        },
      ],
      [
        '522',
        '台電總電表',
        'board',
        { watts: 120, phases: 3, feeds: 'meters', role: 'gridImport', returnRole: 'gridExport' },
      ],
    ],
  }),
  hub('TNG', '警衛室閘道器', '警衛室', {
    警衛室: [
      ['534', '警衛室燈', 'eveningLight', { lampWatts: 36 }],
      ['755', '物流中心大門', 'serviceDoor'],
      ['756', '警衛室偵煙感測', 'untouched'],
      ['753', '警衛室空氣品質', 'officeAir'],
    ],
    貨車停車場: [['516', '貨車停車場燈', 'eveningLight', { lampWatts: 200 }]],
  }),
])

/**
 * The company of the demo: a head office, a factory, a branch, and a warehouse with a plant on its roof. Plain data; names are invented.
 */
export const demoCompany: DemoCompany = {
  CompanyName: '示範精密股份有限公司',
  departments: ['管理部', '廠務部', '業務部', '研發部'],
  homes: [neihu, taichung, kaohsiung, tainan],
}
