import Fields from './fields.tsx'
import { MmWaveForm } from './mm-wave/mm-wave-form.tsx'
import type { Face } from './face.ts'

/** Whether somebody is there, and how the radar looks for them. */
const Presence: Face = (props) => (
  <>
    <Fields {...props} />
    <MmWaveForm {...props} />
  </>
)
export default Presence
