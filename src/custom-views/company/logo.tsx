import { PictureOutlined } from '@ant-design/icons'
import { Alert, Button, Space } from 'antd'
import { useState, useCallback, useEffect, useRef } from 'react'
import { company, type CompanyProfile } from '../../../contract/people/company-calls.ts'
import { IMAGE_TYPES, uploads } from '../../../contract/homes/upload-calls.ts'
import { describeFailure } from '../../data/failure.ts'
import { t as translate, useT, type TKey, type TValues } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { putCompany } from '../../data/personal.ts'
import { CallError } from '../../data/post.ts'
import { useAction, type Send } from '../../data/use-action.ts'
import { FileButton } from '../../ui/inputs/file-button.tsx'
import page from '../../ui/page/page.module.css'
import styles from './company.module.css'
import { readLogo, type LogoChoice } from './logo-file.ts'

/** Problem, translated when it is rendered. */
type Problem = { key: TKey; values?: TValues } | { error: CallError }

interface Props {
  profile: CompanyProfile
  mayChange: boolean
  picture: ChosenPicture | undefined
  choose: (choice: LogoChoice | undefined) => void
}

/** Shows the logo, and replaces it if the user has the right. A picture is checked and previewed before it is uploaded. */
export function Logo({ profile, mayChange, picture, choose }: Props) {
  const t = useT()
  const [problem, setProblem] = useState<Problem>()

  const checkFile = async (file: File) => {
    setProblem(undefined)
    const checked = await readLogo(file)
    if (!('reason' in checked)) return choose(checked)
    choose(undefined)
    const { reason, ...values } = checked
    setProblem({ key: `company:problem.${reason}`, values })
  }

  const { busy, failure, run } = useAction(
    async (choice: LogoChoice, send) => {
      const refused = await upload(choice, send)
      setProblem(refused)
      if (refused) return
      choose(undefined)
      notices.success(() => translate('company:logoSaved'))
    },
    { feedback: 'failure' },
  )
  const failed: Problem | undefined =
    failure === undefined
      ? undefined
      : failure instanceof CallError
        ? { error: failure }
        : { key: 'company:problem.upload' }
  const message = busy ? undefined : (problem ?? failed)

  const shownUrl = picture?.url ?? profile.LogoUrl
  const alt = t('company:logoAlt', { name: profile.LogoName || profile.CompanyName })
  return (
    <div className={`${page.tightStack} ${styles.logo}`}>
      <div className={`${page.dashed} ${styles.frame}`}>
        {shownUrl ? (
          <img src={shownUrl} alt={alt} />
        ) : (
          <span className={page.muted}>
            <PictureOutlined aria-hidden /> {t('company:logoNone')}
          </span>
        )}
      </div>
      {picture && (
        <p className={page.note} aria-live="polite">
          {t('company:logoChosen', { width: picture.width, height: picture.height })}
        </p>
      )}
      {message && (
        <Alert
          type="error"
          showIcon
          message={'error' in message ? describeFailure(message.error) : t(message.key, message.values)}
        />
      )}
      {mayChange && (
        <>
          <p className={page.note}>{t('company:logoNote')}</p>
          <Space wrap>
            {picture ? (
              <>
                <Button type="primary" loading={busy} onClick={() => void run(picture)}>
                  {t('company:logoUse')}
                </Button>
                <Button disabled={busy} onClick={() => choose(undefined)}>
                  {t('company:logoCancel')}
                </Button>
              </>
            ) : (
              <FileButton
                label={t('company:logoChoose')}
                accept={IMAGE_TYPES}
                choose={(file) => void checkFile(file)}
              >
                {t(profile.LogoUrl ? 'company:logoReplace' : 'company:logoChoose')}
              </FileButton>
            )}
          </Space>
        </>
      )}
    </div>
  )
}

/** Uploads a picture to the address that the gateway returns, and applies the profile that refers to it. */
async function upload({ file, type }: LogoChoice, send: Send): Promise<Problem | undefined> {
  const { UploadUrl, MaxBytes } = await send(uploads.uploadCompanyLogo, { ContentType: type })
  if (file.size > MaxBytes)
    return { key: 'company:problem.size', values: { megabytes: Math.floor(MaxBytes / 1_048_576) } }
  const answer = await fetch(UploadUrl, { method: 'PUT', body: file, headers: { 'content-type': type } })
  if (!answer.ok) return { key: 'company:problem.upload' }
  putCompany(await send(company.getCompanyProfile, {}))
  return undefined
}

/** A chosen picture with an object URL to show it. */
interface ChosenPicture extends LogoChoice {
  url: string
}

/** The chosen logo picture. Its object URL is revoked when the choice changes. */
export function useLogoChoice() {
  const [picture, setPicture] = useState<ChosenPicture>()
  const url = useRef<string>(undefined)
  const choose = useCallback((choice: LogoChoice | undefined) => {
    if (url.current) URL.revokeObjectURL(url.current)
    url.current = choice && URL.createObjectURL(choice.file)
    setPicture(choice && { ...choice, url: url.current ?? '' })
  }, [])
  useEffect(
    () => () => {
      if (url.current) URL.revokeObjectURL(url.current)
    },
    [],
  )
  return { picture, choose }
}
