import { Button } from 'antd'
import { useState } from 'react'
import { personData } from '../../../contract/people/person-data-calls.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { EraseDialog, type PersonKey } from './erase-dialog.tsx'
import { savePersonData } from './save-person-data.ts'

interface Props {
  of: PersonKey
  name: string
  email: string
  /** Whether the person can be erased: not the owner, nor the current user. */
  mayErase?: boolean
  erased: () => void
}

const featureOf = (key: PersonKey) =>
  'CognitoId' in key ? 'user' : 'EmployeeID' in key ? 'access_control_employee' : 'access_control_visitor'

/** Buttons that export or erase the data stored about a person; shown only to users with the rights. */
export function PersonDataButtons({ of, name, email, mayErase = true, erased }: Props) {
  const t = useT()
  const feature = featureOf(of)
  const mayExport = [useMay(feature, 'Export'), useMay('company', 'Control')].every(Boolean)
  const mayDelete = useMay(feature, 'Delete') && mayErase
  const [isConfirming, setIsConfirming] = useState(false)
  const copy = useAction(async (key: PersonKey, send) => {
    const data =
      'CognitoId' in key
        ? await send(personData.exportUserData, key)
        : 'EmployeeID' in key
          ? await send(personData.exportEmployeeData, key)
          : await send(personData.exportVisitorData, key)
    return savePersonData(name, data)
  })
  return (
    <>
      {mayExport && (
        <Button loading={copy.busy} onClick={() => void copy.run(of, () => tNow('screens:personData.saved'))}>
          {t('screens:personData.export')}
        </Button>
      )}
      {mayDelete && (
        <Button danger onClick={() => setIsConfirming(true)}>
          {t('screens:personData.erase')}
        </Button>
      )}
      {isConfirming && (
        <EraseDialog of={of} name={name} email={email} erased={erased} close={() => setIsConfirming(false)} />
      )}
    </>
  )
}
