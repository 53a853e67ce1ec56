import { act, screen, within, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { cameraAndIr } from '../../../../../contract/devices/camera-and-ir-calls.ts'
import type { Command } from '../../../../../contract/devices/command-calls.ts'
import IRRemote from '../../../../../src/domain/devices/ir-remote/ir-remote.tsx'
import { changeLanguage, t } from '../../../../../src/lib/i18n/i18n.ts'
import { showNoticesWith } from '../../../../../src/data/notices.ts'
import { me } from '../../../../../src/data/session.ts'
import { beginAs, drawFace, knownCapability } from '../../../../support/device-screens.tsx'
import { answers, requests, server, subUser } from '../../../../support/msw.ts'
import { aPeripheral } from '../../../../support/peripheral.ts'
const device = aPeripheral({ PeripheralUID: 'ir', PeripheralType: '760', PMACAddress: '00:11:22:33:44:55' })
const container = (ContMID: string, ContMName: string) => ({ ContMID, ContDID: 'tv', ContMName })
const command = (more: Partial<Command>): Command => ({
  RequestID: 'request-1',
  HomeID: 'h1',
  PeripheralUID: 'ir',
  Values: {},
  State: 'sent',
  Reason: null,
  Source: 'person',
  RunID: null,
  By: 'owner',
  RequestedAt: 1,
  SettledAt: null,
  ...more,
})
let taught: ReturnType<typeof container>[]
let shown: { kind: string; text: string }[]

function draw({ may = true } = {}) {
  server.use(answers(cameraAndIr.listIRRemoteContainer, () => taught))
  return drawFace(IRRemote, device, knownCapability('760', 'irRemote'), { may }).user
}

beforeEach(async () => {
  await beginAs()
  shown = []
  showNoticesWith(({ kind, text }) => shown.push({ kind, text: text() }), String)
  taught = [container('on', '開電視'), container('off', '')]
})

it('shows a button for each learned command, by its ID without a name', async () => {
  draw()
  expect(await screen.findByRole('button', { name: '開電視' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'off' })).toBeTruthy()
})

it('says how to teach commands if there are none', async () => {
  taught = []
  draw()
  expect(await screen.findByText(t('devices:ir.none'))).toBeTruthy()
})

it('sends the pressed command, and says that it is sent', async () => {
  server.use(answers(cameraAndIr.casaControlIRRemote, command({})))
  const user = draw()
  await user.click(await screen.findByRole('button', { name: '開電視' }))
  await waitFor(() => expect(shown).toEqual([{ kind: 'success', text: '紅外線指令已送出' }]))
  expect(requests.find(({ path }) => path === '/CasaControlIRRemote')?.body).toEqual({
    HomeID: 'h1',
    PeripheralUID: 'ir',
    PMACAddress: '00:11:22:33:44:55',
    ContMID: 'on',
    ContDID: 'tv',
  })
})

it.each([
  ['zh-TW', '紅外線指令失敗，請在手機 App 設定遙控器。'],
  ['en-US', 'IR command failed. Set the remote in the mobile app.'],
] as const)('shows in %s that it failed, why, and what to do', async (language, text) => {
  await act(() => changeLanguage(language))
  server.use(answers(cameraAndIr.casaControlIRRemote, command({ State: 'failed', Reason: 'hubOffline' })))
  const user = draw()
  await user.click(await screen.findByRole('button', { name: '開電視' }))
  await waitFor(() =>
    expect(shown).toEqual([{ kind: 'error', text: `${text} ${t('errors:command.hubOffline')}` }]),
  )
})

it('renames a button: requires a name, and shows it afterwards', async () => {
  server.use(
    answers(cameraAndIr.updateIRRemoteContainerName, (body) => {
      const { ContMName } = body as { ContMName: string }
      taught = [container('on', ContMName)]
      return container('on', ContMName)
    }),
  )
  const user = draw()
  await user.click(await screen.findByRole('button', { name: '重新命名「開電視」' }))
  const dialog = within(await screen.findByRole('dialog'))
  const name = dialog.getByLabelText('指令名稱')
  const save = dialog.getByRole('button', { name: /儲\s?存/ }) as HTMLButtonElement
  await user.clear(name)
  expect(save.disabled).toBe(true)
  await user.type(name, '大廳電視')
  await user.click(save)
  expect(await screen.findByRole('button', { name: '大廳電視' })).toBeTruthy()
})

it('is read-only without the rights to control and rename', async () => {
  me.set(subUser([{ FeatureKey: 'device', OperationList: ['Read'] }]))
  draw({ may: false })
  expect(((await screen.findByRole('button', { name: '開電視' })) as HTMLButtonElement).disabled).toBe(true)
  expect(screen.queryByRole('button', { name: /重新命名/ })).toBeNull()
})
