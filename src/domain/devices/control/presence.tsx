import Fields from './fields.tsx'
import { MmWaveForm } from './mm-wave-form.tsx'
import type { Face } from './face.ts'

/** Presence, and the radar's detection parameters. */
const Presence: Face = (props) => (
  <>
    <Fields {...props} />
    <MmWaveForm {...props} />
  </>
)
export default Presence
