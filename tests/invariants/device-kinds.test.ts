import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CAPABILITY_NAMES } from '../../contract/devices/capabilities/capability.ts'
import type { DeviceKind } from '../../contract/devices/kinds/device-kind.ts'
import { drawnFields, summaryFields } from '../../contract/devices/kinds/field-shape.ts'
import { capabilityOf, deviceKinds, deviceTypes } from '../../contract/devices/kinds/registry.ts'

const ROOT = join(import.meta.dirname, '../..')
const sources = (folder: string) =>
  (readdirSync(join(ROOT, folder), { recursive: true }) as string[])
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`)

/** Kinds whose name is not also a capability's: screens may name capabilities, but not kinds. */
const names = Object.keys(deviceKinds).filter((kind) => !CAPABILITY_NAMES.some((name) => name === kind))
/** Icons are listed by kind, and a kind without one has the generic device icon. */
const ICONS = 'src/ui/tags/kind-icon.tsx'

describe('a device kind', () => {
  it('is named by no screen and no gateway code, so that a new one from known capabilities needs neither', () => {
    const naming = [...sources('src'), ...sources('gateway')].filter((file) => {
      if (file === ICONS) return false
      const text = readFileSync(join(ROOT, file), 'utf8')
      return names.some((name) => text.includes(`'${name}'`))
    })
    expect(naming).toEqual([])
  })

  it('is a file in the contract and a line in its registry, and works: listed, drawn, summed up', () => {
    const kind = {
      kind: 'leakSensor',
      category: 'Smoke',
      variants: {
        999: ['756', '753'].map(
          (type) => deviceTypes.find((one) => one.type === type)?.capabilities[0] as never,
        ),
      },
    } satisfies DeviceKind
    for (const capability of kind.variants[999]) {
      expect(drawnFields(capability).length).toBeGreaterThan(0)
      expect(summaryFields(capability).length).toBeGreaterThan(0)
    }
  })

  it('summarizes only fields that it reports', () => {
    for (const { capabilities } of deviceTypes)
      for (const capability of capabilities)
        expect(Object.keys(capability.status)).toEqual(expect.arrayContaining([...summaryFields(capability)]))
  })

  it('asks before a dry contact moves', () => {
    expect(capabilityOf('517', 'dryContact')?.needsConfirmation?.({ Switch: 1 })).toBe('closeContact')
    expect(capabilityOf('517', 'dryContact')?.needsConfirmation?.({ Switch: 0 })).toBe('openContact')
  })

  it('asks before a siren changes and a gate moves, and never before a gate or a curtain stops', () => {
    expect(capabilityOf('904', 'siren')?.needsConfirmation?.({ Switch: 1 })).toBe('soundSiren')
    expect(capabilityOf('904', 'siren')?.needsConfirmation?.({ Switch: 0 })).toBe('silenceSiren')
    for (const values of [{ Move: 1 }, { Move: 2 }, { TargetPosition: 0 }])
      expect(capabilityOf('902', 'cover')?.needsConfirmation?.(values)).toBe('moveGate')
    expect(capabilityOf('902', 'cover')?.needsConfirmation?.({ Move: 0 })).toBeUndefined()
    expect(capabilityOf('901', 'cover')?.needsConfirmation).toBeUndefined()
  })
})
