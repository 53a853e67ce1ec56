import { BANDS, type Band } from '../contract/tariffs/tariff-terms.ts'
import { bills } from '../contract/tariffs/bill-calls.ts'
import { utilityBill } from '../contract/tariffs/utility-bill.ts'
import { ota } from '../contract/devices/ota-calls.ts'
import { peripheral } from '../contract/devices/peripheral.ts'
import { insight } from '../contract/energy/insight-calls.ts'
import { home as homeResource } from '../contract/homes/home.ts'
import { notificationChannel } from '../contract/notifications/notification-channel.ts'
import { user } from '../contract/people/user.ts'
import { reportPlan } from '../contract/reports/report-plan.ts'
import { firstDayOf, formatDay, monthOf } from '../contract/time/periods.ts'
import type { Call } from './api.ts'

/** Monthly budgets of the homes in kWh, about the mean of a year. */
const BUDGETS: Readonly<Record<string, number>> = {
  內湖總部: 34_000,
  台中精機園區工廠: 154_000,
  高雄分公司: 11_500,
  台南物流中心: 22_500,
}
/** Home whose bills of the power company are entered, and the one of them (1 is the last) that is higher than computed. */
const BILLED = '內湖總部'
const SUPPLY_NO = '00871234561'
const BILL_COUNT = 12
const WRONG_BILL = 3
const WRONG_FACTOR = 1.04

const REPORT_NAME = '每月能源報告'
const RECIPIENTS = ['owner@demo.example', 'facility@demo.example']
const CHANNEL_NAME = '值班系統 Webhook'
/** Firmware of the hubs, and the home whose hubs are updated. */
const FIRMWARE = { Target: 'hub', FirmwareVersion: '1.1.0', Notes: '改善斷線重連，並修正時鐘校正。' } as const
const FIRMWARE_BYTES = 64 * 1024
const UPDATED = '高雄分公司'

/**
 * Creates budgets, a report plan, a notification channel and a firmware update, unless they exist.
 *
 * url  address of the gateway
 */
export async function seedExtras(call: Call, url: string): Promise<void> {
  const homes = await call(homeResource.operations.list, {})
  for (const { HomeID, HomeName } of homes) {
    const Amount = BUDGETS[HomeName]
    if (Amount === undefined || (await call(insight.getForecast, { HomeID })).Budget) continue
    await call(insight.updateBudget, { HomeID, Budget: { Unit: 'kWh', Period: 'month', Amount } })
  }
  if ((await call(reportPlan.operations.list, {})).length === 0) {
    const people = await call(user.operations.list, {})
    await call(reportPlan.operations.create, {
      ReportPlanName: REPORT_NAME,
      Kind: 'monthly',
      Homes: [],
      Day: 5,
      Recipients: people.filter(({ Email }) => RECIPIENTS.includes(Email)).map(({ CognitoId }) => CognitoId),
      Enabled: true,
    })
  }
  if ((await call(notificationChannel.operations.list, {})).length === 0)
    await call(notificationChannel.operations.create, {
      ChannelName: CHANNEL_NAME,
      Kind: 'webhook',
      // Its address is an example, so that the demo connects to nothing outside.
      Enabled: false,
      Address: 'https://alerts.demo.example/building',
      Token: 'demo-webhook-secret',
    })
  await updateFirmware(call, url, homes.find(({ HomeName }) => HomeName === UPDATED)?.HomeID)
}

async function updateFirmware(call: Call, url: string, HomeID: string | undefined): Promise<void> {
  if (HomeID === undefined || (await call(ota.getAllOta, {})).Firmwares.length > 0) return
  const { FirmwareID, UploadUrl } = await call(ota.uploadFirmware, { ...FIRMWARE, Size: FIRMWARE_BYTES })
  const answer = await fetch(new URL(UploadUrl, url), { method: 'PUT', body: new Uint8Array(FIRMWARE_BYTES) })
  if (!answer.ok) throw new Error(`The firmware was refused: ${answer.status}`)
  const { Things } = await call(peripheral.operations.list, { HomeID })
  await call(ota.startOta, { HomeID, FirmwareID, Devices: Things.map(({ ThingName }) => ({ ThingName })) })
}

/**
 * Enters the power company's bills of the last twelve whole months, as computed except for one, unless there are any. The energy of these
 * months must have been computed.
 *
 * until  epoch ms at which the past ends
 */
export async function seedUtilityBills(call: Call, until: number): Promise<void> {
  const site = (await call(homeResource.operations.list, {})).find(({ HomeName }) => HomeName === BILLED)
  if (!site) return
  const { HomeID, TimeZone } = site
  if ((await call(utilityBill.operations.list, { HomeID })).length > 0) return
  const current = monthOf(until, TimeZone)
  for (let back = 1; back <= BILL_COUNT; back++) {
    const bill = await call(bills.getBill, { HomeID, Date: formatDay(firstDayOf(current - back)) })
    const factor = back === WRONG_BILL ? WRONG_FACTOR : 1
    const kWh: Partial<Record<Band, number>> = {}
    for (const { Item, Detail, Quantity } of bill.Lines) {
      const band = BANDS.find((one) => one === (Detail || 'flat'))
      if (Item === 'energy' && band) kWh[band] = Math.round(((kWh[band] ?? 0) + Quantity) * factor)
    }
    await call(utilityBill.operations.create, {
      HomeID,
      SupplyNo: SUPPLY_NO,
      From: bill.From,
      Through: bill.Through,
      kWh,
      Total: Math.round(bill.Total * factor),
    })
  }
}
