UPDATE accounts SET time_zone = :time_zone WHERE account_id = :account
