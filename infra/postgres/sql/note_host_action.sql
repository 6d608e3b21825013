INSERT INTO host_actions (host_action_id, done_by, command, account, campaign, refused)
VALUES (:host_action, :done_by, :command, :account, :campaign, :refused)
