import { useNavigate, useParams } from 'react-router'
import type { Group } from '../../../contract/automation/group.ts'
import { callErrorIn } from '../../data/post.ts'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { FormCard, OneRecordPage, RecordPage } from '../../record-kit/record-page.tsx'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import page from '../../ui/page/page.module.css'
import { GroupMembers } from './group-members.tsx'
import { GroupControl, GroupStateTag } from './live-cells.tsx'

const gone = () => ({ title: words('automation:group.notFound'), toList: words('resources:group.list') })

export function GroupPage() {
  const { HomeID = '', GroupID } = useParams()
  if (GroupID === undefined) return <GroupForm key={HomeID} HomeID={HomeID} group={undefined} gone={false} />
  return (
    <OneRecordPage
      key={GroupID}
      resource="group"
      id={{ GroupID }}
      missingTexts={gone}
      list={pathTo('GroupListing', { HomeID })}
    >
      {(group, isGone) => <GroupForm HomeID={HomeID} group={group} gone={isGone} />}
    </OneRecordPage>
  )
}

function GroupForm(props: { HomeID: string; group: Group | undefined; gone: boolean }) {
  const { HomeID, group } = props
  const t = useT()
  const navigate = useNavigate()
  const edited = useRecordForm('group', group, { scope: { HomeID } })
  const list = pathTo('GroupListing', { HomeID })
  return (
    <RecordPage
      title={group?.GroupName ?? t('resources:group.create')}
      head={
        group && (
          <span className={page.tools}>
            <GroupStateTag group={group} />
            <GroupControl group={group} />
          </span>
        )
      }
    >
      <FormCard
        resource="group"
        formState={edited}
        record={group}
        isMissing={props.gone}
        columns={false}
        initial={{ PeripheralList: [] }}
        fields={[
          'GroupName',
          {
            name: 'PeripheralList',
            isWide: true,
            input: <GroupMembers HomeID={HomeID} />,
            describe: (row) =>
              t('automation:actions.members', { count: (row as Group).PeripheralList.length }),
          },
        ]}
        cancelTo={list}
        submit={async (values) => {
          try {
            if (await edited.save(values)) void navigate(list)
          } catch (error) {
            throw atMembers(error)
          }
        }}
      />
    </RecordPage>
  )
}

/** Moves an error about one device to the field of all devices. */
function atMembers(error: unknown): unknown {
  const failed = callErrorIn(error)
  if (!failed) return error
  const { fields } = failed
  const path = Object.keys(fields).find((one) => one.startsWith('PeripheralList.'))
  if (path === undefined) return error
  return Object.assign(failed, { fields: { ...fields, PeripheralList: fields[path] } })
}
