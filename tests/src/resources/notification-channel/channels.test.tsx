import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  notificationChannelCalls,
  notificationChannel,
  type NotificationChannel,
} from '../../../../contract/notifications/notification-channel.ts'
import { queryClient } from '../../../../src/data/api.ts'
import { homesKey } from '../../../../src/data/homes.ts'
import { showNoticesWith } from '../../../../src/data/notices.ts'
import { loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import { RefineFrame } from '../../../../src/providers/refine-frame.tsx'
import channels from '../../../../src/resources/notification-channel/record.tsx'
import { answers, owner, rejectCall, server, subUser } from '../../../support/msw.ts'
import { aHome, prepareSession, openPages, sentTo } from '../../support/page.tsx'
import { pressInRowMenu } from '../../../support/row-menu.ts'
const line: NotificationChannel = {
  NotificationChannelID: '0b9f7d3e-1f7c-4a8e-9d55-0a3c1c6b0010',
  ChannelName: '值班群組',
  Kind: 'line',
  Enabled: true,
  Language: 'zh-TW',
  Categories: ['alarm', 'guard'],
  Least: 'critical',
  HomeIDs: ['h1'],
  MonthlyBudget: 200,
  Version: 3,
  Hint: '…c0de',
  SentThisMonth: 17,
  LastSentAt: 1,
  LastError: null,
}

let told: string[] = []
function open(person = owner, rows: readonly NotificationChannel[] = [line]) {
  prepareSession(person)
  queryClient.setQueryData(homesKey, [aHome()])
  server.use(answers(notificationChannel.operations.list, [...rows]))
  return openPages(
    [{ element: <RefineFrame />, children: [{ path: '/NotificationChannels', element: <channels.List /> }] }],
    '/NotificationChannels',
  )
}
beforeEach(async () => {
  await loadNamespaces(['channels', 'lists', 'screens'])
  told = []
  showNoticesWith(({ text }) => told.push(text()), String)
})
const field = (key: string) => t(`channels:reach.${key}` as 'channels:reach.lineToken')
/** The label around the radio, which the user presses. */
const radio = async (kind: 'line' | 'teams' | 'webhook') =>
  (await screen.findByRole('radio', { name: t(`channels:kinds.${kind}`) })).closest('label') as HTMLElement
const save = () => screen.getByRole('button', { name: /^儲\s*存$/ })
const begin = async ({ user }: ReturnType<typeof open>) => {
  await user.click((await screen.findAllByRole('button', { name: /新增通知頻道$/ }))[0] as HTMLElement)
  await user.type(await screen.findByLabelText('名稱'), '機房')
}

describe('the channels of a company', () => {
  it('are listed with their events and sent messages, without secrets', async () => {
    open()
    const row = within((await screen.findByText('值班群組')).closest('[data-row-key]') as HTMLElement)
    for (const text of ['LINE · …c0de', '警報、需量控制', '緊急', '總部', '本月 17 / 200 則', '上次傳送成功'])
      expect(row.getByText(text)).toBeTruthy()
  })

  it('wrap the host of a webhook after its dots', async () => {
    open(owner, [{ ...line, Kind: 'webhook', Hint: 'alerts.demo.example' }])
    const cell = await screen.findByText('Webhook · alerts.demo.example')
    expect(cell.innerHTML).toContain('Webhook · alerts.<wbr>demo.<wbr>example')
  })

  it('show why the last message failed', async () => {
    open(owner, [{ ...line, LastError: 'budget' }])
    expect(await screen.findByText('本月的訊息數已達上限。')).toBeTruthy()
  })

  it('are tested, and show the real result', async () => {
    const { user } = open()
    const test = () => pressInRowMenu(user, '值班群組', t('channels:test.press', { name: '值班群組' }))
    server.use(answers(notificationChannelCalls.test, { Sent: false, Error: 'refused' }))
    await test()
    await waitFor(() => expect(told.join()).toContain('測試訊息沒有送出：對方拒絕了訊息'))
    server.use(answers(notificationChannelCalls.test, { Sent: true, Error: null }))
    await test()
    await waitFor(() => expect(told.join()).toContain('測試訊息已送出。'))
  })

  it.each([
    [
      'line',
      { lineToken: 'a-long-token', lineTarget: 'C0ffee' },
      { Token: 'a-long-token', Target: 'C0ffee' },
    ],
    ['teams', { teamsAddress: 'https://flow.example/x' }, { Address: 'https://flow.example/x' }],
    [
      'webhook',
      { webhookAddress: 'https://hook.example/x', webhookToken: 'signing-secret' },
      { Address: 'https://hook.example/x', Token: 'signing-secret' },
    ],
  ] as const)('of kind %s ask for their fields, and send them', async (Kind, typed, sent) => {
    const page = open()
    server.use(answers(notificationChannel.operations.create, line))
    await begin(page)
    await page.user.click(await radio(Kind))
    await page.user.click(save())
    expect(sentTo(notificationChannel.operations.create)).toEqual([])
    for (const [key, text] of Object.entries(typed))
      await page.user.type(await screen.findByLabelText(field(key)), text)
    await page.user.click(save())
    await waitFor(() => expect(sentTo(notificationChannel.operations.create)).toHaveLength(1))
    expect(sentTo(notificationChannel.operations.create)[0]).toMatchObject({
      ChannelName: '機房',
      Kind,
      Least: 'critical',
      Categories: ['alarm', 'guard'],
      ...sent,
    })
  })

  it('reject an internal address at its field', async () => {
    const page = open()
    server.use(
      rejectCall(notificationChannel.operations.create, 'INVALID', { fields: { Address: 'address' } }),
    )
    await begin(page)
    await page.user.click(await radio('teams'))
    await page.user.type(await screen.findByLabelText(field('teamsAddress')), 'https://10.0.0.1/x')
    await page.user.click(save())
    expect(await screen.findByText(t('errors:fields.address'))).toBeTruthy()
  })

  it('are read-only without the right to change the company', async () => {
    open(subUser([{ FeatureKey: 'company', OperationList: ['Read'] }]))
    await screen.findByText('值班群組')
    expect(screen.queryByRole('menuitem')).toBeNull()
    expect(screen.queryByRole('button', { name: /新增通知頻道$/ })).toBeNull()
  })
})
