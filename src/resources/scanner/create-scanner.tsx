import { Button, Card, Input, Radio, Switch } from 'antd'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'
import type { ScannerCredentials as Credentials } from '../../../contract/access-control/scanner.ts'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { useCurrentHome, useHomes } from '../../data/homes.ts'
import page from '../../ui/page/page.module.css'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { FormCard, RecordPage } from '../../record-kit/record-page.tsx'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { ListSkeleton, EmptyState } from '../../ui/page/states.tsx'
import { ScannerCredentials } from './scanner-credentials.tsx'
import { DIRECTIONS } from '../../../contract/access-control/access-pass.ts'
import type { FormField } from '../../record-kit/record-form.tsx'

/** Adds a scanner and shows its credentials once. */
export function CreateScanner() {
  const t = useT()
  const navigate = useNavigate()
  const homes = useHomes()
  const [credentials, setCredentials] = useState<Credentials>()
  return (
    <RecordPage title={t('shell:pages.CreateScanner')}>
      {credentials ? (
        <Card>
          <ScannerCredentials credentials={credentials} />
          <div className={page.actions}>
            <Link to={pathTo('ScannerEmployeeList', { deviceName: credentials.ThingName })}>
              {t('shell:pages.ScannerEmployeeList')}
            </Link>
            <Button type="primary" onClick={() => void navigate(pathTo('ScannerManagement'))}>
              {t('access:scanner.done')}
            </Button>
          </div>
        </Card>
      ) : !homes ? (
        <ListSkeleton />
      ) : homes.length === 0 ? (
        <EmptyState
          message={t('access:scanner.noHome')}
          next={<ButtonLink to={pathTo('CreateHome')}>{t('shell:pages.CreateHome')}</ButtonLink>}
        />
      ) : (
        <NewScanner homes={homes} created={setCredentials} />
      )}
    </RecordPage>
  )
}

function NewScanner({
  homes,
  created,
}: {
  homes: readonly HomeWithRooms[]
  created: (credentials: Credentials) => void
}) {
  const t = useT()
  const current = useCurrentHome()
  // No success message: the credentials show that the scanner was created.
  const edited = useRecordForm('scanner', undefined, { successText: false })
  const home = {
    name: 'HomeID',
    label: t('access:fields.HomeID'),
    input: <FormSelect options={homes.map(({ HomeID, HomeName }) => ({ value: HomeID, label: HomeName }))} />,
  }
  return (
    <FormCard
      resource="scanner"
      formState={edited}
      record={undefined}
      fields={[home, ...useScannerFields()]}
      initial={{
        HomeID: current?.HomeID ?? homes[0]?.HomeID,
        Direction: 'both',
        AllEmployees: true,
        AllowVisitors: true,
      }}
      submitText={t('shell:pages.CreateScanner')}
      cancelTo={pathTo('ScannerManagement')}
      submit={async (values) => {
        const createdScanner = await edited.save(values)
        if (createdScanner) created(createdScanner as unknown as Credentials)
      }}
    />
  )
}

export function useScannerFields(): readonly FormField[] {
  const t = useT()
  const yesOrNo = (is: unknown) => t(is ? 'access:scanner.yes' : 'access:scanner.no')
  return [
    { name: 'ScannerName', label: t('access:fields.ScannerName'), input: <Input maxLength={64} /> },
    {
      name: 'Direction',
      label: t('access:fields.Direction'),
      hint: t('access:scanner.bothHint'),
      input: (
        <Radio.Group
          // Passed on to the DOM element, although its types lack it: only this role allows the required attribute.
          {...{ role: 'radiogroup' }}
          optionType="button"
          options={DIRECTIONS.map((value) => ({ value, label: t(`access:directions.${value}`) }))}
        />
      ),
      describe: ({ Direction }) => t(`access:directions.${Direction as (typeof DIRECTIONS)[number]}`),
    },
    {
      name: 'AllEmployees',
      label: t('access:fields.AllEmployees'),
      hint: t('access:scanner.allHint'),
      input: <Switch />,
      valuePropName: 'checked',
      describe: ({ AllEmployees }) => yesOrNo(AllEmployees),
    },
    {
      name: 'AllowVisitors',
      label: t('access:fields.AllowVisitors'),
      input: <Switch />,
      valuePropName: 'checked',
      describe: ({ AllowVisitors }) => yesOrNo(AllowVisitors),
    },
  ]
}
