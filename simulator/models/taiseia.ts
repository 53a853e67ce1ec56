import { airConditioner, type AirConditioner } from './air-conditioner.ts'
import { dehumidifier, type Dehumidifier } from './dehumidifier.ts'
import type { Model } from './model.ts'
import { ventilation, type Ventilation } from './ventilation.ts'

const appliances = { airConditioner, dehumidifier, ventilation }

/** The kind of appliance, with its state. */
export interface TaiSEIA {
  appliance: keyof typeof appliances
  inner: AirConditioner | Dehumidifier | Ventilation
}

// oxlint-disable-next-line typescript/no-explicit-any -- the appliance decides what its state is
const modelOf = ({ appliance }: Pick<TaiSEIA, 'appliance'>): Model<any> => appliances[appliance]

/** One type code for every appliance with a TaiSEIA 101 interface; the wiring selects the kind. */
export const taiseia: Model<TaiSEIA> = {
  make: (type, wiring) => {
    const { appliance = 'airConditioner' } = wiring
    return { appliance, inner: appliances[appliance].make(type, wiring) }
  },
  step: (state, seconds, world) => ({ ...state, inner: modelOf(state).step(state.inner, seconds, world) }),
  report: (state) => modelOf(state).report(state.inner),
  command: (state, values) => ({ ...state, inner: modelOf(state).command(state.inner, values) }),
  draws: (state) => modelOf(state).draws(state.inner),
}
