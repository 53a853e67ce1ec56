import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../../contract/people/personal-calls.ts'
import Meter from '../../../../../src/domain/devices/control/meter.tsx'
import { beginAs, drawFace, knownCapability } from '../../../../support/device-screens.tsx'
import { answers, server } from '../../../../support/msw.ts'
import { aPeripheral } from '../../../../support/peripheral.ts'

const device = aPeripheral({ PeripheralUID: 'one', PeripheralType: '514' })

beforeEach(async () => {
  await beginAs()
  server.use(answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG))
})

describe('the meter panel', () => {
  it('shows a second counter only if the meter reports one', () => {
    const capability = knownCapability('514', 'meter')
    const { report } = drawFace(Meter, device, capability, { status: { Power: 1200, AccumulatePower: 40 } })
    const named = () => screen.getAllByRole('term').map(({ textContent }) => textContent)
    const before = named()
    report({ Power: 1200, AccumulatePower: 40, AccumulateReturn: 0 })
    expect(named().filter((name) => !before.includes(name))).toEqual(['累計逆送電量'])
  })
})
