import { resources, type ResourceName } from '../../../contract/index.ts'
import { taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import { modbusRow } from '../../support/modbus-rows.ts'
import { aPeripheral } from '../../support/peripheral.ts'
import { aConferenceRoom } from '../../support/a-conference-room.ts'

export type Row = Record<string, unknown>
/** Two records of a resource, and their displayed names. */
interface Kind {
  rows: Row[]
  names: [string, string]
}
const Version = 1

/** Rows of a record whose fields are texts and numbers, named by the first field outside its key. */
export function plainRows(name: ResourceName): Kind {
  const { record, key } = resources[name]
  const fields = Object.keys(record.shape)
  const title = fields.find((field) => !(key as readonly string[]).includes(field)) as string
  const rowOf = (i: number): Row =>
    record.parse(
      Object.fromEntries(
        Object.entries(record.shape).map(([field, schema]) => {
          if (field === 'HomeID') return [field, 'h1']
          return [field, schema.safeParse(i).success ? i : `${field}-${i}`]
        }),
      ),
    )
  const rows = [rowOf(1), rowOf(2)]
  return { rows, names: rows.map((row) => row[title]) as [string, string] }
}

/** Rows of records with other fields. */
export const rowsOfRecords: Partial<Record<ResourceName, Kind>> = {
  home: {
    rows: [
      {
        HomeID: 'h1',
        HomeName: '甲廠',
        TimeZone: 'Asia/Taipei',
        ThreadNetworkKey: null,
        Latitude: null,
        Longitude: null,
        RoomList: [],
      },
      {
        HomeID: 'h2',
        HomeName: '乙廠',
        TimeZone: 'Asia/Taipei',
        ThreadNetworkKey: null,
        Latitude: null,
        Longitude: null,
        RoomList: [],
      },
    ],
    names: ['甲廠', '乙廠'],
  },
  dashboard: {
    rows: ['能源', '會議'].map((Name, i) => ({
      DashboardID: `00000000-0000-4000-8000-00000000000${i}`,
      Name,
      OwnerID: null,
      OwnerName: null,
      Shared: { DepartmentIDs: [], Everyone: true, May: 'view' },
      CardCount: i,
      Version,
    })),
    names: ['能源', '會議'],
  },
  floor: {
    rows: [
      { HomeID: 'h1', FloorID: 1, FloorName: '1F', Order: 1, Plan: null, Shapes: [], Version },
      { HomeID: 'h1', FloorID: 2, FloorName: '2F', Order: 2, Plan: null, Shapes: [], Version },
    ],
    names: ['1F', '2F'],
  },
  room: {
    rows: [
      { HomeID: 'h1', RoomID: 1, RoomName: '機房', PeripheralList: [], ThingNameList: [] },
      { HomeID: 'h1', RoomID: 2, RoomName: '茶水間', PeripheralList: [], ThingNameList: [] },
    ],
    names: ['機房', '茶水間'],
  },
  group: {
    rows: ['走廊燈', '辦公室燈'].map((GroupName, i) => ({
      HomeID: 'h1',
      GroupID: `g${i}`,
      GroupName,
      PeripheralList: ['light'],
      GroupType: '516',
      Version,
    })),
    names: ['走廊燈', '辦公室燈'],
  },
  scene: {
    rows: ['上班', '下班'].map((SceneName, i) => ({
      HomeID: 'h1',
      SceneID: `s${i}`,
      SceneName,
      Icon: 'scene',
      Actions: [{ PeripheralUID: 'light', Values: { Switch: 1 }, After: 0, IfOffline: 'fail' }],
      Order: 'together',
      StopOnFailure: false,
      Version,
    })),
    names: ['上班', '下班'],
  },
  automation: {
    rows: ['早上開燈', '晚上關燈'].map((AutomationName, i) => ({
      HomeID: 'h1',
      AutomationID: `a${i}`,
      AutomationType: 1,
      AutomationName,
      Description: '',
      Enabled: true,
      Schedule: {
        Weekdays: [1],
        At: 480,
        Days: 'all',
        Except: [],
        From: null,
        Through: null,
        OffAfter: 0,
      },
      Actions: [{ PeripheralUID: 'light', Values: { Switch: 1 }, After: 0, IfOffline: 'fail' }],
      Order: 'together',
      EndDuration: 0,
      EndActions: 'restore',
      Catching: 'latest',
      Grace: 900,
      OwnerID: null,
      OwnerName: null,
      State: 'ready',
      Problem: null,
      LastRunAt: null,
      LastResult: null,
      NextRunAt: null,
      RunsToday: 0,
      Version,
    })),
    names: ['早上開燈', '晚上關燈'],
  },
  notificationChannel: {
    rows: ['值班群組', '工務系統'].map((ChannelName, i) => ({
      NotificationChannelID: `n${i}`,
      ChannelName,
      Kind: 'webhook',
      Enabled: true,
      Language: 'zh-TW',
      Categories: ['alarm'],
      Least: 'critical',
      HomeIDs: [],
      MonthlyBudget: null,
      Hint: `host${i}.example`,
      SentThisMonth: 0,
      LastSentAt: null,
      LastError: null,
      Version,
    })),
    names: ['值班群組', '工務系統'],
  },
  reportPlan: {
    rows: ['董事會月報', '工務月報'].map((ReportPlanName, i) => ({
      ReportPlanID: `p${i}`,
      ReportPlanName,
      Kind: 'monthly',
      Homes: [],
      Day: 5,
      Recipients: ['5b0e7a4e-3a52-4f53-9a5d-0c8f4b1f6a01'],
      Enabled: true,
      Version,
      NextAt: 1_770_000_000_000,
      Last: null,
    })),
    names: ['董事會月報', '工務月報'],
  },
  utilityBill: {
    rows: [4, 5].map((month) => ({
      HomeID: 'h1',
      UtilityBillID: `b${month}`,
      SupplyNo: '07123456789',
      From: `2026-0${month}-01`,
      Through: `2026-0${month}-28`,
      kWh: { peak: 100 },
      PeakKw: {},
      PowerFactor: null,
      Capacities: null,
      Total: 1_000,
      Version,
    })),
    names: ['2026/4/1–28', '2026/5/1–28'],
  },
  modbusTable: {
    rows: ['電表', '水表'].map((TableName, i) => ({
      ModbusTableID: `t${i}`,
      TableName,
      Manufacturer: '',
      Model: '',
      Note: '',
      Rows: [modbusRow({ Key: 'a', Label: '電壓' })],
      Version,
    })),
    names: ['電表', '水表'],
  },
  conferenceRoom: {
    rows: ['大會議室', '小會議室'].map((ConferenceRoomName, i) =>
      aConferenceRoom({ ConferenceRoomID: `r${i}`, ConferenceRoomName, Version }),
    ),
    names: ['大會議室', '小會議室'],
  },
  scanner: {
    rows: ['大門', '側門'].map((ScannerName, i) => ({
      ThingName: `s${i}`,
      ScannerName,
      HomeID: 'h1',
      Direction: 'both',
      AllEmployees: true,
      AllowVisitors: true,
      Online: true,
      SeenAt: 0,
      Assigned: 0,
      Version,
    })),
    names: ['大門', '側門'],
  },
  employee: {
    rows: ['王大明', '李小華'].map((EmployeeName, i) => ({
      EmployeeID: `e${i}`,
      EmployeeName,
      Email: `e${i}@company.example`,
      CardNumber: null,
      DepartmentID: null,
      Department: null,
      Active: true,
      PhotoUrl: null,
      Version,
    })),
    names: ['王大明', '李小華'],
  },
  visitor: {
    rows: ['周先生', '吳小姐'].map((VisitorName, i) => ({
      VisitorID: `v${i}`,
      VisitorName,
      Company: '',
      Email: `v${i}@guest.example`,
      Phone: '0911222333',
      Ext: '',
      HostEmployeeID: null,
      HostName: null,
      Purpose: '',
      ValidFrom: 0,
      ValidUntil: 1,
      CheckedInAt: null,
      AwayAt: null,
      CheckedOutAt: null,
      RevokedAt: null,
      AnonymisedAt: null,
      Version,
    })),
    names: ['周先生', '吳小姐'],
  },
  user: {
    rows: ['陳大文', '林小美'].map((LastName, i) => ({
      CognitoId: `0b9f7d3e-1f7c-4a8e-9d55-0a3c1c6b00${i}0`,
      Email: `u${i}@company.example`,
      FirstName: '',
      LastName,
      nickname: '',
      DepartmentID: null,
      Department: null,
      enabled: true,
      rank: 0,
      InvitedUntil: null,
      Rights: 0,
      Template: null,
    })),
    names: ['陳大文', '林小美'],
  },
  peripheral: {
    rows: ['p1', 'p2'].map((PeripheralUID) => ({ ...aPeripheral({ PeripheralUID, PeripheralType: '516' }) })),
    names: ['p1', 'p2'],
  },
  tariff: {
    rows: ['園區電價', '廠區電價'].map((TariffName, i) => ({
      TariffID: `t${i}`,
      TariffName,
      Versions: taipowerPlan('commercial_two_stage')?.Versions,
      Version,
    })),
    names: ['園區電價', '廠區電價'],
  },
  virtualMeter: {
    rows: ['公設', '租戶'].map((VirtualMeterName, i) => ({
      VirtualMeterID: `virtual-${i}`,
      HomeID: 'h1',
      VirtualMeterName,
      Terms: [{ PeripheralUID: 'main', Factor: 1 }],
      Version,
    })),
    names: ['公設', '租戶'],
  },
}
