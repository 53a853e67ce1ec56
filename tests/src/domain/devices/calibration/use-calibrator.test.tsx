import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it } from 'vitest'
import type { CommandValues } from '../../../../../contract/devices/capabilities/capability.ts'
import { commands, type Command } from '../../../../../contract/devices/command-calls.ts'
import { displayName } from '../../../../../contract/kernel/text.ts'
import { useCalibrator } from '../../../../../src/domain/devices/calibration/calibration-wizard.tsx'
import { callKey, queryClient } from '../../../../../src/data/api.ts'
import { beginAs } from '../../../../support/device-screens.tsx'
import { answers, requests, owner, server } from '../../../../support/msw.ts'
import { aPeripheral } from '../../../../support/peripheral.ts'
const tower = aPeripheral({ PeripheralUID: 'tower', PeripheralType: '515' })
const command = (By: string, Values: CommandValues, more: Partial<Command> = {}): Command => ({
  RequestID: 'r-1',
  HomeID: 'h1',
  PeripheralUID: 'tower',
  Values,
  State: 'confirmed',
  Reason: null,
  Source: 'person',
  RunID: null,
  By,
  RequestedAt: 5,
  SettledAt: 6,
  ...more,
})
const mine = displayName(owner)
const begun = { Calibration: { Step: 'initialized', LightType: 'stacked' } }
const lit = { Calibration: { Step: 'lightsOn' } }

/** Sets the commands that the gateway returns for the tower, newest first. */
const asked = (...all: Command[]) => server.use(answers(commands.listCommand, all))

const follow = (isUnderWay = true) =>
  renderHook(() => useCalibrator(tower, isUnderWay), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    ),
  })

beforeEach(() => beginAs())

it('names the other person who took the last step', async () => {
  asked(command('陳小明', lit), command(mine, begun))
  const { result } = follow()
  await waitFor(() => expect(result.current).toEqual({ name: '陳小明', at: 5 }))
})

it('names nobody while the user took the last step, and then whoever takes the next one', async () => {
  asked(command(mine, begun))
  const { result } = follow()
  await waitFor(() =>
    expect(requests.filter(({ path }) => path === commands.listCommand.path)).toHaveLength(1),
  )
  expect(result.current).toBeUndefined()
  asked(command('陳小明', lit), command(mine, begun))
  await act(() => queryClient.invalidateQueries({ queryKey: callKey(commands.listCommand) }))
  await waitFor(() => expect(result.current?.name).toBe('陳小明'))
})

it('ignores steps of a rejected user, and other commands', async () => {
  asked(
    command('林', lit, { State: 'failed', Reason: 'notNow' }),
    command('王', { Something: 1 }),
    command('陳小明', begun),
  )
  const { result } = follow()
  await waitFor(() => expect(result.current?.name).toBe('陳小明'))
})

it('requests nothing while no calibration is running', () => {
  expect(follow(false).result.current).toBeUndefined()
  expect(requests).toEqual([])
})
