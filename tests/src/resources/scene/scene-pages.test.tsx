import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { runs } from '../../../../contract/automation/run-calls.ts'
import { scene } from '../../../../contract/automation/scene.ts'
import { t } from '../../../../src/lib/i18n/i18n.ts'
import { runs as live } from '../../../../src/live/runs.ts'
import scenePages from '../../../../src/resources/scene/record.tsx'
import { answers, rejectCall, server, subUser } from '../../../support/msw.ts'
import {
  aRun,
  arriveInActingHome,
  collectNotices,
  lastRunIs,
  leavingScene,
  runsAre,
} from '../../support/acting-home.ts'
import { sentTo } from '../../support/page.tsx'
import { openRefinePages } from '../../support/refine-pages.tsx'
import { openRowMenu, pressInRowMenu } from '../../../support/row-menu.ts'
const { List, Edit } = scenePages
const open = (address: string) =>
  openRefinePages(
    [
      { path: '/SceneList/:HomeID', element: <List /> },
      { path: '/updateScene/:HomeID/:SceneID?', element: <Edit /> },
    ],
    address,
  )
const named = (text: string) => ({ name: new RegExp(`${text}$`) })
const runButton = () => screen.findByRole('button', { name: t('automation:scene.runOf', { name: '下班' }) })
const save = () => screen.getByRole('button', { name: /儲\s*存/ })

beforeEach(async () => {
  live.clear()
  await arriveInActingHome()
})

describe('the list of scenes', () => {
  it('describes a scene in one line', async () => {
    open('/SceneList/h1')
    expect(await screen.findByText('關閉走廊燈')).toBeTruthy()
  })

  it('runs a scene, follows it and shows the result', async () => {
    const told = collectNotices()
    server.use(
      answers(runs.runScene, () => {
        lastRunIs({ State: 'running', Confirmed: 0 })
        return { RunID: 'r1', Actions: 1 }
      }),
    )
    const { user } = open('/SceneList/h1')
    await user.click(await runButton())
    expect(await screen.findByText(t('automation:run.progress', { confirmed: 0, total: 1 }))).toBeTruthy()
    expect(sentTo(runs.runScene)).toEqual([{ HomeID: 'h1', SceneID: 's1', At: expect.any(Number) }])
    act(() =>
      live.handleResponse({
        RequestID: 'r1-0',
        HomeID: 'h1',
        PeripheralUID: 'a',
        State: 'confirmed',
        Reason: null,
        Values: {},
        Timestamp: 1,
      }),
    )
    expect(await screen.findByText(t('automation:run.progress', { confirmed: 1, total: 1 }))).toBeTruthy()
    act(() =>
      live.handleRun({
        RunID: 'r1',
        AutomationID: null,
        SceneID: 's1',
        State: 'done',
        Reason: null,
        Actions: { confirmed: 1, failed: 0, open: 0 },
        Timestamp: 2,
      }),
    )
    await waitFor(() => expect(told()).toContain('情境已執行'))
    expect(await screen.findByText(t('automation:run.outcome.all', { count: 1 }))).toBeTruthy()
  })

  it('undoes a run for up to ten minutes', async () => {
    server.use(answers(runs.undoScene, { RunID: 'r2', Actions: 1, Left: 0 }))
    lastRunIs()
    const { user } = open('/SceneList/h1')
    await user.click(await screen.findByRole('button', named(t('automation:run.undo'))))
    await waitFor(() =>
      expect(sentTo(runs.undoScene)).toEqual([{ HomeID: 'h1', RunID: 'r1', At: expect.any(Number) }]),
    )
  })

  it('offers no undo once it is too late', async () => {
    // Screens read the clock once a minute.
    lastRunIs({ At: Date.now() - 720_000 })
    open('/SceneList/h1')
    expect(await screen.findByText(t('automation:run.outcome.all', { count: 1 }))).toBeTruthy()
    expect(screen.queryByRole('button', named(t('automation:run.undo')))).toBeNull()
  })

  it('shows failures by device, and retries them', async () => {
    server.use(answers(runs.retryRun, { RunID: 'r2', Actions: 1 }))
    lastRunIs({ State: 'partly', Devices: 2, Failed: 1, Failure: 'hubOffline' })
    runsAre(
      aRun({
        State: 'partly',
        Actions: [
          { PeripheralUID: 'a', Values: { Switch: 0 }, State: 'confirmed', Reason: null },
          { PeripheralUID: 'c', Values: { Switch: 0 }, State: 'failed', Reason: 'hubOffline' },
        ],
      }),
    )
    const { user } = open('/SceneList/h1')
    expect(await screen.findByText(t('automation:run.outcome.some', { confirmed: 1, count: 2 }))).toBeTruthy()
    expect(screen.getByText(t('errors:command.hubOffline'))).toBeTruthy()
    const [details] = screen.getAllByRole('button', { name: t('automation:run.show', { name: '下班' }) })
    await user.click(details as HTMLElement)
    const drawer = await screen.findByRole('dialog')
    expect(await within(drawer).findByText(t('errors:command.hubOffline'))).toBeTruthy()
    await user.click(within(drawer).getByRole('button', named(t('automation:run.retry'))))
    await waitFor(() => expect(sentTo(runs.retryRun)).toHaveLength(1))
  })

  it('says why a scene could not be started', async () => {
    const told = collectNotices()
    server.use(rejectCall(runs.runScene, 'NOT_FOUND'))
    const { user } = open('/SceneList/h1')
    await user.click(await runButton())
    await waitFor(() => expect(told()).toContain(t('errors:call.NOT_FOUND')))
  })

  it('lists the last runs of a scene, with who ran it', async () => {
    runsAre(aRun({ State: 'failed' }), aRun({ RunID: 'r0', By: '操作員' }))
    const { user } = open('/SceneList/h1')
    await pressInRowMenu(user, '下班', t('automation:run.show', { name: '下班' }))
    const drawer = await screen.findByRole('dialog')
    expect(await within(drawer).findByText(/操作員/)).toBeTruthy()
    expect(sentTo(runs.listAutomationRun)).toContainEqual({ HomeID: 'h1', SceneID: 's1', Limit: 50 })
  })

  it('offers only permitted actions', async () => {
    await arriveInActingHome(
      subUser([
        { FeatureKey: 'scene', OperationList: ['Read'] },
        { FeatureKey: 'device', OperationList: ['Read'] },
      ]),
    )
    const { user } = open('/SceneList/h1')
    expect(await screen.findByText('下班')).toBeTruthy()
    await openRowMenu(user, '下班')
    expect(
      await screen.findByRole('menuitem', { name: t('automation:run.show', { name: '下班' }) }),
    ).toBeTruthy()
    expect(screen.queryByRole('button', { name: t('automation:scene.runOf', { name: '下班' }) })).toBeNull()
    expect(screen.queryByRole('button', named(t('resources:scene.create')))).toBeNull()
    expect(screen.queryByRole('menuitem', { name: t('automation:copy.of', { name: '下班' }) })).toBeNull()
  })
})

describe('the scene editor', () => {
  it('captures the current state of devices', async () => {
    server.use(
      answers(runs.captureScene, {
        Actions: [{ PeripheralUID: 'a', Values: { Switch: 1 }, After: 0, IfOffline: 'fail' }],
        Unknown: ['c'],
      }),
      answers(scene.operations.create, leavingScene({ SceneID: 's2' })),
    )
    const told = collectNotices()
    const { user, path } = open('/updateScene/h1')
    await user.click(await screen.findByRole('button', named(t('automation:capture.button'))))
    const dialog = await screen.findByRole('dialog')
    await user.click(await within(dialog).findByRole('checkbox', { name: /走廊燈/ }))
    await user.click(within(dialog).getByRole('checkbox', { name: /離線燈/ }))
    await user.click(within(dialog).getByRole('button', { name: t('automation:capture.ok', { count: 2 }) }))
    await waitFor(() => expect(told()).toContain('離線燈'))
    await user.type(
      await screen.findByRole('textbox', { name: t('resources:scene.fields.SceneName') }),
      '目前',
    )
    await user.click(save())
    await waitFor(() => expect(path()).toBe('/SceneList/h1'))
    expect(sentTo(scene.operations.create)).toEqual([
      {
        HomeID: 'h1',
        SceneName: '目前',
        Icon: 'scene',
        Order: 'together',
        Actions: [{ PeripheralUID: 'a', Values: { Switch: 1 }, After: 0, IfOffline: 'fail' }],
      },
    ])
  })

  it('requires every action to be set, and names the missing one', async () => {
    const { user } = open('/updateScene/h1')
    await user.type(
      await screen.findByRole('textbox', { name: t('resources:scene.fields.SceneName') }),
      '空的',
    )
    await user.click(save())
    expect(await screen.findByText(t('automation:actions.reasons.required'))).toBeTruthy()
    expect(sentTo(scene.operations.create)).toEqual([])
  })

  it('shows at the action what the gateway rejected', async () => {
    server.use(
      rejectCall(scene.operations.update, 'INVALID', { fields: { 'Actions.0.Values.Switch': 'taken' } }),
    )
    const { user } = open('/updateScene/h1/s1')
    const name = await screen.findByRole('textbox', { name: t('resources:scene.fields.SceneName') })
    await user.type(name, '了')
    await user.click(save())
    expect(await screen.findByText(t('automation:actions.reasons.taken'))).toBeTruthy()
  })

  it('saves changes based on the version that was opened', async () => {
    server.use(answers(scene.operations.update, leavingScene({ SceneName: '下班了', Version: 6 })))
    const { user, path } = open('/updateScene/h1/s1')
    const name = await screen.findByRole('textbox', { name: t('resources:scene.fields.SceneName') })
    await user.type(name, '了')
    await user.click(save())
    await waitFor(() => expect(path()).toBe('/SceneList/h1'))
    expect(sentTo(scene.operations.update)).toEqual([
      expect.objectContaining({ HomeID: 'h1', SceneID: 's1', SceneName: '下班了', Version: 5 }),
    ])
  })

  it('renames a scene without the right to control devices', async () => {
    await arriveInActingHome(
      subUser([
        { FeatureKey: 'scene', OperationList: ['Read', 'Update'] },
        { FeatureKey: 'device', OperationList: ['Read'] },
      ]),
    )
    server.use(answers(scene.operations.update, leavingScene({ SceneName: '下班了', Version: 6 })))
    const { user, path } = open('/updateScene/h1/s1')
    const name = await screen.findByRole('textbox', { name: t('resources:scene.fields.SceneName') })
    await user.type(name, '了')
    await user.click(save())
    await waitFor(() => expect(path()).toBe('/SceneList/h1'))
    expect(sentTo(scene.operations.update)).toEqual([
      { HomeID: 'h1', SceneID: 's1', SceneName: '下班了', Version: 5 },
    ])
  })
})
