import { useApolloClient } from '@apollo/client/react';
import { toResult } from '~/graphql/settled';
import { toast } from '~/ui/toast';
import {
  type SavedReportFragment,
  SavedReportsDocument,
  useDeleteSavedReportMutation,
  useSavedReportsQuery,
} from './report.generated';
import { texts } from './texts';

/** The reports that all admins share, and what can be done with them; each deed says how it went. */
export function useSavedReports() {
  const client = useApolloClient();
  const { data } = useSavedReportsQuery({ fetchPolicy: 'cache-and-network' });
  const [sendDelete, deleting] = useDeleteSavedReportMutation();
  const again = () => client.refetchQueries({ include: [SavedReportsDocument] });

  /** Whether it is gone. */
  async function forget({ id, name }: SavedReportFragment): Promise<boolean> {
    const { data: answer, message } = await toResult(sendDelete({ variables: { id } }));
    if (!answer) {
      toast.error(message ?? texts.deleteFailed);
      return false;
    }
    await again();
    toast.success(texts.deleted(name));
    return true;
  }

  return {
    reports: data?.admin?.analytics.savedReports ?? [],
    forget,
    deleting: deleting.loading,
  };
}
