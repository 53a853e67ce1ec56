import page from '../../ui/page/page.module.css'
import { FindingsList } from './findings-list.tsx'
import { FindingsSaving } from './findings-saving.tsx'

/** What a home could save, and everything that was found. */
export const FindingsTab = ({ homeId, zone }: { homeId: string; zone: string }) => (
  <div className={page.stack}>
    <FindingsSaving homeId={homeId} />
    <FindingsList homeId={homeId} zone={zone} />
  </div>
)
