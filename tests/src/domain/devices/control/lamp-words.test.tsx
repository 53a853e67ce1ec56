import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { lampsOf } from '../../../../../contract/devices/capabilities/light-house.ts'
import { LampTag } from '../../../../../src/domain/devices/control/lamp-words.tsx'
import { beginAs, openPages } from '../../../../support/device-screens.tsx'

const AMBER = { Red: 255, Green: 190, Blue: 12 }

it('names lamps of one memorized color by it, and unnamed ones by their numbers', async () => {
  await beginAs()
  const lamps = lampsOf({ Sensor1: 1, Sensor2: 2, Sensor3: 0, Colors: [AMBER, AMBER] }, null)
  openPages(
    {
      '/': (
        <>
          {lamps.map((lamp) => (
            <LampTag key={lamp.number} lamp={lamp} abnormal={false} />
          ))}
        </>
      ),
    },
    '/',
  )
  expect(await screen.findByText('黃燈（第 1 盞）恆亮')).toBeTruthy()
  expect(screen.getByText(/^黃燈（第 2 盞）/)).toBeTruthy()
  for (const number of [3, 4, 5]) expect(screen.getByText(new RegExp(`^第 ${number} 盞燈`))).toBeTruthy()
})
