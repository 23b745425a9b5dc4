import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { toResult } from '~/graphql/settled';
import { Button } from '~/ui/button';
import buttonStyles from '~/ui/button.module.css';
import { toast } from '~/ui/toast';
import styles from './builder.module.css';
import { NameDialog } from './name-dialog';
import { workbenchLink } from './query-text';
import { type BuiltReportQueryVariables, ReportFileDocument, type SavedReportFragment } from './report.generated';
import { texts } from './texts';

interface ReportActionsProps {
  title: string;
  query: string;
  definition: string;
  variables: BuiltReportQueryVariables;
  opened: SavedReportFragment | undefined;
  onSaved: (report: SavedReportFragment) => void;
}

const fileName = (title: string) => `${title.toLowerCase().replaceAll(/\W+/g, '-')}.csv`;

function download(content: string, name: string) {
  const address = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

function ExportButton({ title, variables }: Pick<ReportActionsProps, 'title' | 'variables'>) {
  const client = useApolloClient();
  const [exporting, setExporting] = useState(false);

  async function run() {
    setExporting(true);
    const { data, message } = await toResult(
      client.query({ query: ReportFileDocument, variables, fetchPolicy: 'no-cache' }),
    );
    setExporting(false);
    const file = data?.admin?.analytics.report?.export;
    if (file === undefined) toast.error(message ?? texts.exportFailed);
    else download(file, fileName(title));
  }

  return (
    <Button small working={exporting && texts.exporting} onClick={() => void run()}>
      {texts.exportCsv}
    </Button>
  );
}

async function share() {
  try {
    await navigator.clipboard.writeText(window.location.href);
    toast.info(texts.linkCopied);
  } catch {
    toast.error(texts.copyFailed);
  }
}

/** Whether this shop serves GraphiQL; one that others can reach says in its pages that it does not. */
const isGraphiqlOpen = () => document.querySelector('meta[name=graphiql][content=closed]') === null;

/** What can be done with the report as a whole. */
export function ReportActions({ title, query, definition, variables, opened, onSaved }: ReportActionsProps) {
  const [isNaming, setNaming] = useState(false);

  return (
    <div className={styles.actions}>
      <Button small kind="primary" onClick={() => setNaming(true)}>
        {texts.save}
      </Button>
      <ExportButton title={opened?.name ?? title} variables={variables} />
      {isGraphiqlOpen() && (
        <a
          className={`${buttonStyles.button} ${buttonStyles.small}`}
          href={workbenchLink(query)}
          target="_blank"
          rel="noopener"
        >
          {texts.openInGraphiql}
        </a>
      )}
      <Button small onClick={() => void share()}>
        {texts.share}
      </Button>
      {isNaming && (
        <NameDialog
          title={texts.saveTitle}
          report={{ id: opened?.id ?? null, name: opened?.name ?? title, definition }}
          asAnother={opened !== undefined}
          onClose={() => setNaming(false)}
          onSaved={(report) => {
            setNaming(false);
            onSaved(report);
          }}
        />
      )}
    </div>
  );
}
